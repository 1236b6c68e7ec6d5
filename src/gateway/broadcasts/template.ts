import type { Broadcast } from '../../collections/broadcasts.ts'
import type { Contact } from '../../collections/contacts.ts'

/** A parsed body: literal texts and placeholders. */
export type BodyTemplate = readonly (string | Placeholder)[]

/** A placeholder for a value of the recipient. */
export interface Placeholder {
  /** `name`, `address`, or `attributes.` and the name of a text of the contact. */
  readonly field: string
  /** The text for a recipient without a value; null: such a recipient gets no message. */
  readonly otherwise: string | null
}

/** A recipient; the contact is null if only an address was given. */
export interface Addressee {
  readonly address: string
  readonly contact: Contact | null
}

/** A template, or its fault. */
export type ReadTemplate =
  | { readonly ok: true; readonly template: BodyTemplate }
  | { readonly ok: false; readonly detail: string }

/**
 * Parses a body: `{{name}}` is a placeholder, `{{name|friend}}` one with a text for recipients
 * without a value, `\{{` two braces, `\\{{` a backslash before a placeholder. All other text is
 * literal.
 */
export function readTemplate(body: string): ReadTemplate {
  const pieces: (string | Placeholder)[] = []
  let at = 0
  for (;;) {
    const braces = body.indexOf('{{', at)
    if (braces === -1) break
    const slashes = slashesBefore(body, braces, at)
    const before = body.slice(at, braces - slashes) + '\\'.repeat(Math.floor(slashes / 2))
    if (slashes % 2 === 1) {
      pieces.push(`${before}{{`)
      at = braces + 2
      continue
    }
    const end = body.indexOf('}}', braces)
    if (end === -1) return { ok: false, detail: `${placeOf(body, braces)} ${unclosed}` }
    const inside = body.slice(braces + 2, end)
    const placeholder = placeholderIn(inside)
    if (placeholder === null) {
      return { ok: false, detail: `${placeOf(body, braces)} {{${inside.slice(0, 80)}}}: ${known}` }
    }
    pieces.push(before, placeholder)
    at = end + 2
  }
  pieces.push(body.slice(at))
  return { ok: true, template: pieces.filter((piece) => piece !== '') }
}

/** Parses the template of an accepted broadcast. Octets have no placeholders. */
export function templateOf({ body, encoding }: Pick<Broadcast, 'body' | 'encoding'>): BodyTemplate {
  const read = readTemplate(body)
  return encoding === 'BINARY' || !read.ok ? [body] : read.template
}

/**
 * Returns the text for a recipient; null if a value is missing. Values are inserted unchanged. A text over so many
 * characters is not continued.
 */
export function fill(
  template: BodyTemplate,
  addressee: Addressee,
  charactersMax = Infinity,
): string | null {
  let text = ''
  for (const piece of template) {
    if (typeof piece === 'string') {
      text += piece
      continue
    }
    const value = valueOf(piece.field, addressee) ?? piece.otherwise
    if (value === null) return null
    text += value
    if (text.length > charactersMax) break
  }
  return text
}

/** Returns the literal text of a template, which every message has. */
export function ownText(template: BodyTemplate): string {
  return template.filter((piece) => typeof piece === 'string').join('')
}

const attribute = 'attributes.'

const unclosed = 'has {{ that nothing closes: add }}, or write \\{{ for the braces themselves'

const known =
  'a placeholder is name, address or attributes.<name>, such as {{name}} or {{name|friend}}; ' +
  'write \\{{ for the braces themselves'

function slashesBefore(body: string, index: number, from: number): number {
  let count = 0
  while (index - count > from && body[index - count - 1] === '\\') count += 1
  return count
}

function placeholderIn(inside: string): Placeholder | null {
  const bar = inside.indexOf('|')
  const field = (bar === -1 ? inside : inside.slice(0, bar)).trim()
  const otherwise = bar === -1 ? null : inside.slice(bar + 1)
  const isOwn = field.startsWith(attribute) && field.length > attribute.length
  if (inside.includes('{{') || !(isOwn || field === 'name' || field === 'address')) return null
  return { field, otherwise }
}

/** Returns the value of a field; null if it is missing or empty. */
function valueOf(field: string, { address, contact }: Addressee): string | null {
  if (field === 'address') return address
  if (field === 'name') return contact?.name || null
  const name = field.slice(attribute.length)
  const attributes = contact?.attributes ?? {}
  return (Object.hasOwn(attributes, name) ? attributes[name] : null) || null
}

function placeOf(body: string, index: number): string {
  return `at character ${Array.from(body.slice(0, index)).length + 1}`
}
