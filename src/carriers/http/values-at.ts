import { isJsonObject, type JsonValue } from '../../core/json.ts'

/**
 * Returns the values at a JSON Pointer (RFC 6901): at most one, except that `*` matches every item
 * of an array. Empty if nothing matches.
 */
export function valuesAt(root: JsonValue, pointer: string): readonly JsonValue[] {
  return tokensOf(pointer).reduce<readonly JsonValue[]>(
    (values, token) => values.flatMap((value) => below(value, token)),
    [root],
  )
}

/** Returns the text at a JSON Pointer; numbers and booleans as text. Null if there is none. */
export function textAt(root: JsonValue, pointer: string | null): string | null {
  const [value = null] = pointer === null ? [] : valuesAt(root, pointer)
  return value === null || typeof value === 'object' ? null : String(value)
}

/** Returns true if every path has at least one value and all its values are in its list. */
export function fits(
  root: JsonValue,
  conditions: Readonly<Record<string, readonly string[]>>,
): boolean {
  return Object.entries(conditions).every(([pointer, texts]) => {
    const values = valuesAt(root, pointer)
    return values.length > 0 && values.every((value) => texts.includes(String(value)))
  })
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
