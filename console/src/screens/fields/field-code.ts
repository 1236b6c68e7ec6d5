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

/** Returns the import of `nuncio.config.ts` that the line needs. */
export function importLine({ kind }: Pick<NewField, 'kind'>): string {
  return `import { ${['collection', 'defineConfig', kind].toSorted().join(', ')} } from 'nuncio'`
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
  if (taken.includes(name)) return 'is taken by a field of this collection'
  if (reserved.has(name)) return 'is taken by a parameter of every list'
  return name in Object.prototype ? 'is taken: every object has it' : null
}

const reserved = new Set(['sort', 'search', 'page', 'pageSize', 'after', 'fields'])
