import type { SqlValue } from './connection.ts'

/** A piece of SQL with the values of its parameters, in their order. */
export interface Fragment {
  readonly sql: string
  readonly params: readonly SqlValue[]
}

/** A piece of SQL without parameters. */
export function plain(sql: string): Fragment {
  return { sql, params: [] }
}

/** A single parameter. */
export function parameter(value: SqlValue): Fragment {
  return { sql: '?', params: [value] }
}

/** Writes pieces into a text: `` join`${expression} = ${parameter(value)}` ``. */
export function join(texts: TemplateStringsArray, ...pieces: readonly Fragment[]): Fragment {
  let sql = texts[0] ?? ''
  const params: SqlValue[] = []
  for (const [index, piece] of pieces.entries()) {
    sql += piece.sql + (texts[index + 1] ?? '')
    params.push(...piece.params)
  }
  return { sql, params }
}

/** Joins conditions by `and`; none is always true. */
export function allOf(pieces: readonly Fragment[]): Fragment {
  return pieces.length === 0 ? plain('1 = 1') : list(pieces, ' and ')
}

/** Joins conditions by `or`, in parentheses; none is never true. */
export function anyOf(pieces: readonly Fragment[]): Fragment {
  const [first] = pieces
  if (first === undefined) return never
  return pieces.length === 1 ? first : join`(${list(pieces, ' or ')})`
}

/** A condition that is never true. */
export const never: Fragment = plain('1 = 0')

/** Joins pieces in their order. */
export function list(pieces: readonly Fragment[], separator: string): Fragment {
  return {
    sql: pieces.map((piece) => piece.sql).join(separator),
    params: pieces.flatMap((piece) => piece.params),
  }
}
