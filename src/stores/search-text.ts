import type { Collection } from '../core/declaration/collection.ts'
import type { JsonObject } from '../core/json.ts'
import { fold } from '../core/declaration/query.ts'

/**
 * Returns the text that `search` examines: the folded texts of the searched fields, one per line, so that
 * no word spans two fields. Null for a collection without searched fields.
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
