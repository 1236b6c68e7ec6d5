import type { JsonValue } from '../../core/json.ts'

/** Reads a body as JSON, as the fields of a form, or as words; null where it is not what it should be. */
export function readText(text: string, format: 'JSON' | 'FORM' | 'TEXT'): JsonValue {
  switch (format) {
    case 'JSON':
      return readJson(text) ?? null
    case 'FORM':
      return formObject(new URLSearchParams(text))
    case 'TEXT':
      return { text, words: text.split(/[\s:;,=|]+/).filter((word) => word !== '') }
  }
}

/** The fields of a form; of one that stands there several times, the first. */
export function formObject(form: URLSearchParams): JsonValue {
  // Defined as members, so that a name such as __proto__ is only a name.
  return Object.fromEntries([...form].toReversed())
}

/** Parses JSON; undefined where it is none. */
export function readJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
