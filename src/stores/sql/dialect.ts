import type { Field } from '../../core/declaration/field.ts'
import type { SortKey } from '../../core/declaration/query.ts'
import type { SqlValue } from './connection.ts'
import type { Fragment } from './fragment.ts'
import type { Slice } from './tables/slice.ts'

/** Rows that an index finds by the words of a search. */
export interface SearchedRows {
  readonly places: Fragment
  /** The first places come without all the others being looked for. */
  readonly stepwise: boolean
}

/** The differences between databases. All other SQL is written once. */
export interface Dialect {
  readonly name: string
  /** The type of a key that the database counts up by itself and never gives twice. */
  readonly serial: string
  /** Statements of one text that go out together become one by themselves. */
  readonly gathers: boolean
  /** The account of a receipt is looked up in a directory, since its part may be on any server. */
  readonly routesReceipts: boolean
  /** Clause after the definition of a table that is read only by its key. */
  readonly clustered: string
  /** The number of the last entry of an account's log, be it removed by now, as an expression. */
  logEnd(cell: string, account: string): string
  /** Clause after a selection of rows to change: skips rows that other transactions are changing. */
  readonly skipLocked: string
  /** Clause after a read of rows to change: other transactions that want to change them wait. */
  readonly forUpdate: string
  /**
   * Clause after a read of rows that others may refer to: prevents their deletion until the transaction
   * ends.
   */
  readonly forReference: string
  /** The time of the database, in milliseconds, where several nodes share it; null where one has it alone. */
  readonly time: string | null
  /** Claims due rows and returns their former values, if one statement can do both; else null. */
  readonly claim: ((which: Claimable) => string) | null
  /** A predicate that fails if the executor interrupts the statement; null if the database can do that. */
  readonly interruption: string | null
  /**
   * An update writes a copy of the row, and into every index unless no indexed column changes. So the texts of
   * messages are shortened, and a column with `indexedValues` holds those alone.
   */
  readonly copiesRows: boolean
  /** The directions in which an index returns nulls last. */
  readonly indexedNullsLast: readonly SortKey['direction'][]
  /** The type of a column that holds the values of a field of this kind. */
  columnType(kind: Field['kind']): string
  /** The JSON of a column with shortened texts. */
  unpacked(column: string): string
  /**
   * Adds a default to a column of JSON: `json` becomes a member of the object at the end of a path that
   * lacks it.
   */
  withMember(column: string, path: readonly string[], json: string): string
  /** The value at a path in a column of JSON; null if there is none. */
  jsonValue(column: string, path: readonly string[], kind: Field['kind']): Fragment
  /** True where an element of the array at a path is among the values, which are of one kind. */
  hasElement(column: string, path: readonly string[], values: readonly SqlValue[]): Fragment
  /** True where an element of the array at a path is null. */
  hasNullElement(column: string, path: readonly string[]): Fragment
  /** True where a value is among others, which are of one kind. */
  among(value: Fragment, values: readonly SqlValue[]): Fragment
  /** True if the text of `expression` matches a pattern; its `*` matches any characters. */
  like(expression: Fragment, pattern: string): Fragment
  /** True where the text of `expression` contains the other. */
  contains(expression: Fragment, text: string): Fragment
  /** The same as `contains`, in a form that an index of the text serves; null without such an index. */
  readonly containsByIndex: ((expression: Fragment, text: string) => Fragment) | null
  /** The text that `search` looks into, made of the fields named in a column of JSON. */
  searchText(column: string, names: readonly string[]): Fragment
  /** The name of the rule or of the column that a statement broke, where the error says that it broke one. */
  violatedRule(error: unknown): string | null
}

/** Which submissions are claimed, and in which order. */
export interface Claimable {
  readonly slice: Slice
  readonly where: string
  readonly by: string
}
