import type { JsonValue } from '../../../core/json.ts'

/** Parses a body as JSON, form fields or words; returns null if it is malformed. */
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

/** Converts a form to an object; the first of repeated fields counts. */
export function formObject(form: URLSearchParams): JsonValue {
  // Defined as members, so that a name such as __proto__ is only a name.
  return Object.fromEntries([...form].toReversed())
}

/** Parses JSON; returns undefined if it is malformed. */
export function readJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
