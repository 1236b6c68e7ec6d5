import { isJsonObject, type JsonValue } from '../../../core/json.ts'

/** A value in a document, with what contains it, the nearest first. */
export interface LocatedValue {
  readonly value: JsonValue
  readonly parents: readonly JsonValue[]
}

/**
 * Returns the values at a JSON Pointer (RFC 6901): at most one, except that `*` matches every item
 * of an array. Empty if nothing matches.
 */
export function valuesAt(root: JsonValue, pointer: string): readonly JsonValue[] {
  return locatedAt({ value: root, parents: [] }, pointer).map(({ value }) => value)
}

/** Returns the same with what contains each value. */
export function locatedAt(from: LocatedValue, pointer: string): readonly LocatedValue[] {
  return tokensOf(pointer).reduce<readonly LocatedValue[]>(
    (all, token) =>
      all.flatMap(({ value, parents }) =>
        below(value, token).map((each) => ({ value: each, parents: [value, ...parents] })),
      ),
    [from],
  )
}

/** Returns the text at a JSON Pointer; numbers and booleans as text. Null if there is none. */
export function textAt(root: JsonValue, pointer: string | null): string | null {
  const [value = null] = pointer === null ? [] : valuesAt(root, pointer)
  return textOf(value)
}

/** Returns the text of a value; null if it has none. */
export function textOf(value: JsonValue): string | null {
  return value === null || typeof value === 'object' ? null : String(value)
}

/**
 * Returns the values that a source names in an event: a JSON Pointer, or a relative JSON Pointer with a
 * number of levels to go up, or `=` and a text, which `constant` completes.
 */
export function valuesFrom(
  event: LocatedValue,
  source: string,
  constant: (text: string) => string,
): readonly JsonValue[] {
  if (source.startsWith('=')) return [constant(source.slice(1))]
  const levels = /^\d+/.exec(source)?.[0] ?? ''
  const from = levels === '' ? event : above(event, Number(levels))
  if (from === null) return []
  return locatedAt(from, source.slice(levels.length)).map(({ value }) => value)
}

/** Returns true if every path has at least one value and all its values are in its list. */
export function fits(
  event: LocatedValue,
  conditions: Readonly<Record<string, readonly string[]>>,
): boolean {
  return Object.entries(conditions).every(([source, texts]) => {
    const values = valuesFrom(event, source, (text) => text)
    return values.length > 0 && values.every((value) => isIn(texts, value))
  })
}

/** Objects and arrays are in no list: as texts they could be too deep, or have functions of the sender. */
function isIn(texts: readonly string[], value: JsonValue): boolean {
  return (value === null || typeof value !== 'object') && texts.includes(String(value))
}

function above({ value, parents }: LocatedValue, levels: number): LocatedValue | null {
  if (levels === 0) return { value, parents }
  const parent = parents[levels - 1]
  return parent === undefined ? null : { value: parent, parents: parents.slice(levels) }
}

function tokensOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function below(value: JsonValue, token: string): readonly JsonValue[] {
  if (Array.isArray(value)) {
    if (token === '*') return value
    const item: JsonValue | undefined = /^\d+$/.test(token) ? value[Number(token)] : undefined
    return item === undefined ? [] : [item]
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, token)) return []
  const member = value[token]
  return member === undefined ? [] : [member]
}
