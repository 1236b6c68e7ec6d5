import { qualifiedName } from '../core/declaration/collection.ts'
import type { Catalogue } from '../engine/catalogue.ts'
import type { Compiled } from '../engine/compiled.ts'

/** Component names of a collection in the document. */
export interface ComponentNames {
  /** Such as `WebhookDelivery`; the schema of an instance, and the end of most operation ids. */
  readonly single: string
  /** Such as `WebhookDeliveries`. */
  readonly plural: string
}

/** The schemas that a collection can have besides that of its instances, by the end of their names. */
export const parts = ['', 'Input', 'Patch', 'Revealed', 'Sort', 'Comparisons', 'Query'] as const

/** The end of the name of a schema. */
export type ComponentPart = (typeof parts)[number]

/** Schemas that belong to no collection. */
export const fixedSchemas = ['Problem', 'Notification', 'Alert', 'Ignored', 'QueryValue'] as const

/** Names every collection, by its qualified name, so that no two schemas have the same name. */
export function componentNames(catalogue: Catalogue): ReadonlyMap<string, ComponentNames> {
  const taken = new Set<string>(fixedSchemas)
  const result = new Map<string, ComponentNames>()
  for (const compiled of catalogue.all) {
    const names = freeNames(plainNames(compiled, catalogue), taken)
    for (const part of parts) taken.add(names.single + part)
    taken.add(names.plural)
    result.set(qualifiedName(compiled.declared), names)
  }
  return result
}

/** A noun of a declaration in plain words: `optOut` is “opt out”. */
export function inWords(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, (_, before: string, after: string) => {
    return `${before} ${after.toLowerCase()}`
  })
}

function plainNames({ declared }: Compiled, catalogue: Catalogue): ComponentNames {
  const { parent } = declared
  const prefix = parent === null ? '' : (catalogue.find(parent)?.declared.noun ?? parent)
  return {
    single: pascal(prefix) + pascal(declared.noun),
    plural: pascal(prefix) + pascal(declared.name),
  }
}

function freeNames(wanted: ComponentNames, taken: ReadonlySet<string>): ComponentNames {
  for (let count = 1; ; count += 1) {
    const mark = count === 1 ? '' : String(count)
    const names = { single: wanted.single + mark, plural: wanted.plural + mark }
    const all = [names.plural, ...parts.map((part) => names.single + part)]
    if (all.every((name) => !taken.has(name))) return names
  }
}

function pascal(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
}
