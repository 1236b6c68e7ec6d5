/** The kinds of fields that most people need. The reference has the others. */
export const kinds = ['text', 'integer', 'number', 'boolean', 'timestamp', 'choice'] as const

/** The kind of a new field. */
export type Kind = (typeof kinds)[number]

/** A field that is to be declared. */
export interface NewField {
  readonly name: string
  readonly kind: Kind
}

/** Existing instances have no value for a new field: it is null in them. */
const usual = { nullable: true } as const

/** Returns the line of a field in `nuncio.config.ts`. */
export function codeLine({ name, kind }: NewField): string {
  const choices = kind === 'choice' ? "['NEW', 'DONE'], " : ''
  return `${name}: ${kind}(${choices}{ nullable: true }),`
}

/** Returns the line of a field in `nuncio.config.json`. */
export function jsonLine({ name, kind }: NewField): string {
  const choices = kind === 'choice' ? { enum: ['NEW', 'DONE'] } : {}
  return `${JSON.stringify(name)}: ${JSON.stringify({ kind, ...choices, ...usual })}`
}

/** Returns why a field cannot have a name; null if it can. */
export function nameFault(name: string, taken: readonly string[]): string | null {
  if (!/^[a-z][a-zA-Z0-9]{0,39}$/.test(name)) {
    return 'must be camelCase: a small letter first, at most 40 letters and digits'
  }
  return taken.includes(name) || reserved.has(name) ? 'is taken' : null
}

const reserved = new Set(['sort', 'search', 'page', 'pageSize', 'after', 'fields'])
