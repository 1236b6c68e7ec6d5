import type { SqlValue } from '../connection.ts'

/** The text in a column. Throws where it holds none: then the table is not ours. */
export function textIn(value: unknown): string {
  if (typeof value !== 'string') throw unexpected(value)
  return value
}

/** The text in a column, or null. */
export function textOrNullIn(value: unknown): string | null {
  return value === null ? null : textIn(value)
}

/** The number in a column. Drivers hand out large ones as text or as BigInt. */
export function numberIn(value: unknown): number {
  if (typeof value === 'number') return value
  if (typeof value === 'string' || typeof value === 'bigint') return Number(value)
  throw unexpected(value)
}

/** The number in a column, or null. */
export function numberOrNullIn(value: unknown): number | null {
  return value === null ? null : numberIn(value)
}

/** What a column holds, to be compared with again. */
export function sqlValueIn(value: unknown): SqlValue {
  return typeof value === 'string' || value === null ? value : numberIn(value)
}

function unexpected(value: unknown): Error {
  return new Error(`a column holds ${value === null ? 'null' : typeof value}`)
}
