import { qualifiedName, type Collection } from '../core/declaration/collection.ts'
import type { ServedVersion } from './served-version.ts'

/** The names that collections at the root had in older versions, each with the one that it has now. */
export type FormerNames = ReadonlyMap<string, string>

/** Gathers them. A name that another collection has now is that one's. */
export function formerNames(
  versions: Iterable<ServedVersion>,
  collections: readonly Collection[],
): FormerNames {
  const roots = collections.filter(({ parent }) => parent === null).map(qualifiedName)
  const found = [...versions].flatMap((version) =>
    roots.map((name) => [version.collectionDown(name) ?? name, name] as const),
  )
  return new Map(found.filter(([old]) => !roots.includes(old)))
}

/** A scope in the words of the newest version: a key goes on as it was when its collection is renamed. */
export function scopeUp(scope: string, former: FormerNames): string {
  const [name = '', access] = scope.split(':')
  const now = former.get(name)
  return now === undefined || access === undefined ? scope : `${now}:${access}`
}
