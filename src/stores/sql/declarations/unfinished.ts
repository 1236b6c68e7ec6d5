import type { JsonValue } from '../../../core/json.ts'

/** Unfinished changes of rows that were written under an earlier declaration. */
export interface Unfinished {
  /** True if texts lack fields, or contain fields that are no longer declared. */
  readonly texts: boolean
  /** The fields that texts may lack, each with its default; `*` is any name in a map. */
  readonly added: readonly AddedField[]
  /** The names of columns that do not have every value yet. */
  readonly columns: readonly string[]
  /** The searched texts are those of other fields. */
  readonly search: boolean
  /** The key of the last row that was seen to, as its parameters are. */
  readonly after: readonly (string | number | null)[] | null
}

/** A field that was not declared when a row was written. */
export interface AddedField {
  readonly path: readonly string[]
  readonly value: JsonValue
}

/** Returns the added field at a path or at a prefix of it; null if there is none. */
export function addedAt(unfinished: Unfinished | null, path: readonly string[]): AddedField | null {
  const found = unfinished?.added.find((added) =>
    added.path.every(
      (name, index) => name === path[index] || (name === '*' && index < path.length),
    ),
  )
  return found === undefined ? null : { ...found, path: path.slice(0, found.path.length) }
}
