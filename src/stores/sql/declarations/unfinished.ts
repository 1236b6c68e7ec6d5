import type { JsonValue } from '../../../core/json.ts'

/** What is left to do with the rows of a table that were written under an earlier declaration. */
export interface Unfinished {
  /** The texts lack fields, or have some that are declared no more. */
  readonly texts: boolean
  /** The fields that texts may lack, with the value that stands for each; `*` is any name in a map. */
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

/** The added field that a path is, or leads through; null where there is none. */
export function addedAt(unfinished: Unfinished | null, path: readonly string[]): AddedField | null {
  const found = unfinished?.added.find((added) =>
    added.path.every(
      (name, index) => name === path[index] || (name === '*' && index < path.length),
    ),
  )
  return found === undefined ? null : { ...found, path: path.slice(0, found.path.length) }
}
