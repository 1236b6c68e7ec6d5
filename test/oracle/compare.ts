import type { JsonValue } from '../../src/core/json.ts'

/** Orders two texts by Unicode code point, as UTF-8 does; `<` on strings compares UTF-16 units. */
export function compareText(a: string, b: string): number {
  const left = [...a]
  const right = [...b]
  for (const [index, character] of left.entries()) {
    const other = right[index]
    if (other === undefined) return 1
    if (character !== other) return (character.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0)
  }
  return left.length - right.length
}

/** Orders two values of one kind; null where they cannot be compared. */
export function compareValues(a: JsonValue, b: JsonValue): number | null {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b)
  return null
}
