import type { Collection } from '../core/declaration/collection.ts'
import type { JsonObject } from '../core/json.ts'
import { fold } from '../core/declaration/query.ts'

/**
 * What `search` looks into: the folded texts of the searched fields, a line each, so that no word
 * is found across two of them. Null for a collection without searched fields.
 */
export function searchText(
  { searchedBy }: Pick<Collection, 'searchedBy'>,
  instance: JsonObject,
): string | null {
  if (searchedBy.length === 0) return null
  const texts = searchedBy
    .map((name) => instance[name])
    .filter((value) => typeof value === 'string')
  return fold(texts.join('\n'))
}
