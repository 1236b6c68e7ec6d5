import type { Dialect } from '../sql/dialect.ts'
import type { Fragment } from '../sql/fragment.ts'
import type { SqlValue } from '../sql/connection.ts'
import { join, parameter, plain } from '../sql/fragment.ts'

/** The differences of SQLite. The connections have the functions `matches` and `search_text`. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  serial: 'integer primary key autoincrement',
  interruption: 'proceeds()',
  // https://sqlite.org/lang_select.html#orderby: it scans the index twice, the nulls last.
  indexedNullsLast: ['asc', 'desc'],
  gathers: false,
  routesReceipts: false,
  copiesRows: false,
  clustered: 'without rowid',
  logEnd: (cell, account) => `max(
    coalesce((select h.position from log_heads h where h.cell = ${cell} and h.account = ${account}), 0),
    coalesce((select max(l.position) from log l where l.cell = ${cell} and l.account = ${account}), 0))`,
  // One transaction writes at a time.
  skipLocked: '',
  forUpdate: '',
  forReference: '',
  time: null,
  claim: null,
  // Without a type a column keeps each value as it is given.
  columnType: () => '',
  unpacked: (column) => column,
  withMember: (column, path, json) => {
    const filled = `json_insert(${column}, ${literal(jsonPath(path))}, json(${literal(json)}))`
    if (path.length === 1) return filled
    // Otherwise `json_insert` would create a missing object around it.
    const around = literal(jsonPath(path.slice(0, -1)))
    return `case json_type(${column}, ${around}) when 'object' then ${filled} else ${column} end`
  },
  jsonValue: (column, path) => join`json_extract(${plain(column)}, ${parameter(jsonPath(path))})`,
  hasElement: (column, path, values) =>
    join`exists (select 1 from ${elements(column, path)} where value in ${oneOf(values)})`,
  hasNullElement: (column, path) =>
    join`exists (select 1 from ${elements(column, path)} where value is null)`,
  among: (value, values) => join`${value} in ${oneOf(values)}`,
  // SQLite's own GLOB takes time with the square of the text, and has more wildcards.
  like: (expression, pattern) => join`matches(${expression}, ${parameter(pattern)})`,
  contains: (expression, text) => join`instr(${expression}, ${parameter(text)}) > 0`,
  containsByIndex: null,
  searchText: (column, names) =>
    join`search_text(${plain(column)}, ${parameter(JSON.stringify(names))})`,
  violatedRule: (error) =>
    error instanceof Error ? (constraint.exec(error.message)?.[1] ?? null) : null,
}

/** `UNIQUE constraint failed: c/contacts.account, c/contacts.f/address` */
const constraint = /^UNIQUE constraint failed: (.*)$/s

function oneOf(values: readonly SqlValue[]): Fragment {
  return { sql: '(select value from json_each(?))', params: [JSON.stringify(values)] }
}

function elements(column: string, path: readonly string[]): Fragment {
  return join`json_each(${plain(column)}, ${parameter(jsonPath(path))})`
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** A path of names. Within quotes SQLite reads a name as JSON does, escapes included. */
function jsonPath(path: readonly string[]): string {
  return `$${path.map((name) => `.${JSON.stringify(name)}`).join('')}`
}
