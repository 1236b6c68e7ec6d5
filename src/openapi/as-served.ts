import { qualifiedName } from '../core/declaration/collection.ts'
import type { Catalogue } from '../engine/catalogue.ts'
import type { Compiled } from '../engine/compiled.ts'

/** Describes members with the fields of their collection, under their own path. */
export function asServed(compiled: Compiled, catalogue: Catalogue): Compiled {
  const { members, declared } = compiled
  const of = members === null ? null : catalogue.find(qualifiedName(members))
  if (of === null) return compiled
  const { name, noun, parent, methods, description, membersOf } = declared
  const own = { name, noun, parent, methods, description, membersOf }
  return { ...of, members, declared: { ...of.declared, ...own } }
}
