import type { Row } from './connection.ts'

/** The text in a column. Throws where it holds none: then the table is not ours. */
export function textIn(row: Row, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw unexpected(column, value)
  return value
}

/** The text in a column, or null. */
export function textOrNullIn(row: Row, column: string): string | null {
  return row[column] === null ? null : textIn(row, column)
}

/** The number in a column. Drivers hand out large ones as text or as BigInt. */
export function numberIn(row: Row, column: string): number {
  const value = row[column]
  if (typeof value === 'number') return value
  if (typeof value === 'string' || typeof value === 'bigint') return Number(value)
  throw unexpected(column, value)
}

/** The number in a column, or null. */
export function numberOrNullIn(row: Row, column: string): number | null {
  return row[column] === null ? null : numberIn(row, column)
}

function unexpected(column: string, value: unknown): Error {
  return new Error(`column ${column} holds ${value === null ? 'null' : typeof value}`)
}
