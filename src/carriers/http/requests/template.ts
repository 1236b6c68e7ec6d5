import type { JsonValue } from '../../../core/json.ts'
import { applyFunctions, readFunctions, type AppliedFunction } from './template-functions.ts'

/** Value of a placeholder: null if it is empty, undefined if it is unknown. */
export type TemplateValues = (name: string) => string | number | null | undefined

/** Escaping for the position of a value. */
export type Escape = (text: string) => string

/** A placeholder with the functions that convert its value. */
export interface RequestPlaceholder {
  readonly name: string
  readonly functions: readonly AppliedFunction[]
}

/** A text with placeholders, read. */
export type RequestTemplate = readonly (string | RequestPlaceholder)[]

const placeholder = /\{\{\s*([A-Za-z][A-Za-z0-9_.-]*)\s*((?:\|[^|{}]*)*)\}\}/

/** Parses a text with placeholders such as `{{to}}`. Text in any other form is literal. */
export function readTemplate(text: string): RequestTemplate {
  // With two groups, every third piece begins a placeholder: its name, then its functions.
  const pieces = text.split(placeholder)
  return pieces.flatMap((piece, index): RequestTemplate => {
    if (index % 3 === 0) return piece === '' ? [] : [piece]
    return index % 3 === 1
      ? [{ name: piece, functions: readFunctions(pieces[index + 1] ?? '') }]
      : []
  })
}

/** The placeholders of a text. */
export function placeholdersIn(text: string): readonly RequestPlaceholder[] {
  return readTemplate(text).flatMap((piece) => (typeof piece === 'string' ? [] : [piece]))
}

/** The names of the placeholders of a text. */
export function namesIn(text: string): readonly string[] {
  return placeholdersIn(text).map(({ name }) => name)
}

/** Fills in a template; returns null if it is a single placeholder without a value. */
export function fill(
  template: RequestTemplate,
  values: TemplateValues,
  escape: Escape,
): string | null {
  const [first] = template
  if (template.length === 1 && typeof first === 'object') {
    const value = valueOf(first, values)
    return value === null ? null : escape(String(value))
  }
  return template
    .map((piece) =>
      typeof piece === 'string' ? piece : escape(String(valueOf(piece, values) ?? '')),
    )
    .join('')
}

/** A number stays one unless a function makes it a text. */
function valueOf(
  { name, functions }: RequestPlaceholder,
  values: TemplateValues,
): string | number | null {
  const value = values(name) ?? null
  return value === null || functions.length === 0 ? value : applyFunctions(String(value), functions)
}

/** Parses a URL template. Values after the host are percent-encoded. */
export function readUrlTemplate(text: string): (values: TemplateValues) => string {
  const origin = originOf(text)
  const [host, rest] = [readTemplate(origin), readTemplate(text.slice(origin.length))]
  return (values) => (fill(host, values, asItIs) ?? '') + (fill(rest, values, inUrl) ?? '')
}

/** The scheme and the host of a URL with placeholders. */
export function originOf(text: string): string {
  return /^[a-z]+:\/\/[^/?#]*/i.exec(text)?.[0] ?? text
}

/** Fills in JSON whose texts have placeholders. */
export type FillJson = (values: TemplateValues) => JsonValue | undefined

/**
 * Prepares JSON whose texts have placeholders. A text that is a placeholder alone becomes its value, a
 * number where that is one; without a value its member is left out.
 */
export function readJsonTemplate(value: JsonValue): FillJson {
  if (typeof value === 'string') return textFiller(readTemplate(value))
  if (typeof value !== 'object' || value === null) return () => value
  if (Array.isArray(value)) {
    const items = value.map((item: JsonValue) => readJsonTemplate(item))
    return (values) => items.map((item) => item(values)).filter((item) => item !== undefined)
  }
  const members = Object.entries(value).map(
    ([name, member]) => [name, readJsonTemplate(member)] as const,
  )
  return (values) =>
    Object.fromEntries(
      members.flatMap(([name, member]) => {
        const filled = member(values)
        return filled === undefined ? [] : [[name, filled] as const]
      }),
    )
}

function textFiller(template: RequestTemplate): FillJson {
  const [first] = template
  if (template.length === 1 && typeof first === 'object') {
    return (values) => valueOf(first, values) ?? undefined
  }
  return (values) => fill(template, values, asItIs) ?? ''
}

/** Every text of a JSON value, for those who look for placeholders. */
export function textsOf(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((member: JsonValue) => textsOf(member))
}

/** Leaves a value as it is. */
export const asItIs: Escape = (text) => text

/** For a text inside quotation marks of JSON. */
export const inJson: Escape = (text) => JSON.stringify(text).slice(1, -1)

/** For a path or a query (RFC 3986 section 2.1). */
export const inUrl: Escape = (text) => encodeURIComponent(text.toWellFormed())

/** For text and attributes of XML. What XML 1.0 cannot carry is replaced. */
export const inXml: Escape = (text) =>
  text
    .replace(/[^\t\n\r\u0020-\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Percent-encodes all but printable ASCII, so that a value cannot end its header line. */
export const inHeader: Escape = (text) =>
  text.toWellFormed().replace(/[^\x20-\x7e]+/g, (piece) => encodeURIComponent(piece))

/** Prepares the templates of named values. */
export function templatesOf(
  texts: Readonly<Record<string, string>>,
): readonly (readonly [name: string, template: RequestTemplate])[] {
  return Object.entries(texts).map(([name, text]) => [name, readTemplate(text)] as const)
}

/** Fills in named templates, without those that are a placeholder alone that has no value. */
export function filled(
  templates: readonly (readonly [name: string, template: RequestTemplate])[],
  values: TemplateValues,
  escape: Escape,
): Record<string, string> {
  return Object.fromEntries(
    templates.flatMap(([name, template]) => {
      const value = fill(template, values, escape)
      return value === null ? [] : [[name, value] as const]
    }),
  )
}
