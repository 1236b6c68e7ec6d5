import type { Field } from '../../core/field.ts'
import type { SqlValue } from './connection.ts'

/** A piece of SQL with the values of its parameters, in their order. */
export interface Fragment {
  readonly sql: string
  readonly params: readonly SqlValue[]
}

/** What differs between databases. Everything else about SQL is written once. */
export interface Dialect {
  readonly name: string
  /** The type of a key that the database counts up by itself and never gives twice. */
  readonly serial: string
  /** Stands behind the definition of a table that is only read by its key. */
  readonly clustered: string
  /** The number of the last entry that was ever in the log, as an expression. */
  readonly endOfLog: string
  /** Joins a table so that the one before it is read first, in its order, where the planner can be told. */
  readonly joinInOrder: string
  /** The type of a column that holds the values of a field of this kind. */
  columnType(kind: Field['kind']): string
  /** A column of JSON in which the object at the end of a path has a member, which is `json` where it has none. */
  withMember(column: string, path: readonly string[], json: string): string
  /** The value at a path in a column of JSON, null where there is none. */
  jsonValue(column: string, path: readonly string[], kind: Field['kind']): Fragment
  /** True where an element of the array at a path is among the values. */
  hasElement(column: string, path: readonly string[], values: Fragment): Fragment
  /** True where an element of the array at a path is null. */
  hasNullElement(column: string, path: readonly string[]): Fragment
  /** A set to stand behind `in`, made of values of one kind. */
  oneOf(values: readonly SqlValue[]): Fragment
  /** True where the text of `expression` matches a pattern in which `*` stands for any characters. */
  like(expression: Fragment, pattern: string): Fragment
  /** True where the text of `expression` contains the other. */
  contains(expression: Fragment, text: string): Fragment
  /** The text that `search` looks into, made of the fields named in a column of JSON. */
  searchText(column: string, names: readonly string[]): Fragment
  /** The name of the rule or of the column that a statement broke, where the error says that it broke one. */
  violatedRule(error: unknown): string | null
}
