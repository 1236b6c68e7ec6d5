import { qualifiedName, type Collection } from '../core/collection.ts'
import { compile, type Compiled } from './compiled.ts'

/** The collections that the service offers, found by their names in a path. */
export interface Catalogue {
  readonly all: readonly Compiled[]
  /** A collection at the root, by its plural. */
  root(name: string): Compiled | null
  /** A collection nested in another, by both plurals. */
  nested(parent: string, name: string): Compiled | null
}

/** Prepares the collections that the engine is to serve. */
export function catalogue(collections: readonly Collection[]): Catalogue {
  const declared = new Map(collections.map((each) => [qualifiedName(each), each]))
  const compiled = new Map([...declared].map(([name, each]) => [name, compile(each, declared)]))
  return {
    all: [...compiled.values()],
    root: (name) => compiled.get(name) ?? null,
    nested: (parent, name) => compiled.get(`${parent}/${name}`) ?? null,
  }
}
