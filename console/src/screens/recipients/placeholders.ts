import type { Recipient } from './read-recipients.ts'

/** A placeholder of a text, such as `{{attributes.First name|friend}}`. */
export interface Placeholder {
  /** `name`, `address`, or `attributes.` and the title of a column, which can contain blanks. */
  readonly field: string
  /** The text for recipients without a value; null: they get no message. */
  readonly otherwise: string | null
  /** The placeholder as it is written. */
  readonly whole: string
}

const attribute = 'attributes.'

/** Two braces with what they enclose, and the backslashes before them. */
const braces = /(\\*)\{\{(?:([^]*?)\}\})?/g

/** Splits a text into literal texts and placeholders, as the service reads it. Faulty ones stay literal. */
export function piecesOf(body: string): readonly (string | Placeholder)[] {
  const pieces: (string | Placeholder)[] = []
  let at = 0
  braces.lastIndex = 0
  for (let found = braces.exec(body); found !== null; found = braces.exec(body)) {
    const [match, slashes = '', inside] = found
    pieces.push(body.slice(at, found.index) + '\\'.repeat(Math.floor(slashes.length / 2)))
    const isEscaped = slashes.length % 2 === 1
    if (isEscaped) braces.lastIndex = found.index + slashes.length + 2
    at = isEscaped ? braces.lastIndex : found.index + match.length
    pieces.push(isEscaped ? '{{' : (placeholderIn(inside) ?? match.slice(slashes.length)))
  }
  pieces.push(body.slice(at))
  return pieces.filter((piece) => piece !== '')
}

/** Returns the placeholders of a text. */
export function placeholdersIn(body: string): readonly Placeholder[] {
  return piecesOf(body).filter((piece) => typeof piece !== 'string')
}

/** Returns the text of a broadcast for one recipient. A placeholder without a value stays. */
export function previewText(body: string, recipient: Recipient): string {
  return piecesOf(body)
    .map((piece) =>
      typeof piece === 'string'
        ? piece
        : (valueOf(piece.field, recipient) ?? piece.otherwise ?? piece.whole),
    )
    .join('')
}

/** Returns the first placeholder of a text for which a recipient has no value; null if there is none. */
export function lackedBy(placeholders: readonly Placeholder[], one: Recipient): Placeholder | null {
  const lacked = placeholders.find(
    ({ field, otherwise }) => otherwise === null && valueOf(field, one) === null,
  )
  return lacked ?? null
}

/** Returns the placeholders for which a list has values, as they are written in a text. */
export function offeredPlaceholders(recipients: readonly Recipient[]): readonly string[] {
  const titles = new Set(recipients.flatMap(({ attributes }) => Object.keys(attributes)))
  const fields = [...titles].map((title) => attribute + title)
  const all = recipients.some(({ name }) => name !== null) ? ['name', ...fields] : fields
  // Braces and bars in a title would end the placeholder.
  return all.filter((field) => !/[{}|]/.test(field)).map((field) => `{{${field}}}`)
}

/** Writes a text so that the service takes it literally. */
export function literalBody(text: string): string {
  return text.replaceAll(/(\\*)\{\{/g, (_, slashes: string) => `${slashes}${slashes}\\{{`)
}

function placeholderIn(inside: string | undefined): Placeholder | null {
  if (inside === undefined || inside.includes('{{')) return null
  const bar = inside.indexOf('|')
  const field = (bar === -1 ? inside : inside.slice(0, bar)).trim()
  const isOwn = field.startsWith(attribute) && field.length > attribute.length
  if (!isOwn && field !== 'name' && field !== 'address') return null
  return { field, otherwise: bar === -1 ? null : inside.slice(bar + 1), whole: `{{${inside}}}` }
}

/** Returns the value of a field; null if it is missing or empty, as for the service. */
function valueOf(field: string, { address, name, attributes }: Recipient): string | null {
  if (field === 'address') return address
  if (field === 'name') return name || null
  const title = field.slice(attribute.length)
  return (Object.hasOwn(attributes, title) ? attributes[title] : null) || null
}
