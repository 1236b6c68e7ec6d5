/** Text of HTML that was made here and is safe to send. */
export interface Markup {
  readonly markup: string
}

/** Allowed values in a template: texts are escaped, markup is not, null and undefined add nothing. */
export type Part = Markup | string | number | null | undefined | readonly Part[]

/** Creates markup from a template of HTML. Values are escaped unless they are markup themselves. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { markup: String.raw({ raw: strings }, ...parts.map(written)) }
}

function written(part: Part): string {
  if (part === null || part === undefined) return ''
  if (typeof part === 'string') return escaped(part)
  if (typeof part === 'number') return String(part)
  return 'markup' in part ? part.markup : part.map(written).join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
}
