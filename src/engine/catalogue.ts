import { isServed, qualifiedName, type Collection } from '../core/declaration/collection.ts'
import { compile, type Compiled } from './compiled.ts'

/** The collections that the service offers, found by their names. */
export interface Catalogue {
  readonly all: readonly Compiled[]
  /**
   * Returns a collection by its qualified name, such as `webhooks` or `webhooks/deliveries`; null
   * if unknown.
   */
  find(qualifiedName: string): Compiled | null
}

/**
 * Prepares the collections that the engine is to serve; one without methods is left out. A list never
 * changes, so the same one is prepared once.
 */
export function catalogue(collections: readonly Collection[]): Catalogue {
  const known = prepared.get(collections) ?? prepare(collections)
  prepared.set(collections, known)
  return known
}

const prepared = new WeakMap<readonly Collection[], Catalogue>()

function prepare(collections: readonly Collection[]): Catalogue {
  const declared = new Map(collections.filter(isServed).map((each) => [qualifiedName(each), each]))
  const compiled = new Map([...declared].map(([name, each]) => [name, compile(each, declared)]))
  return {
    all: [...compiled.values()],
    find: (name) => compiled.get(name) ?? null,
  }
}
