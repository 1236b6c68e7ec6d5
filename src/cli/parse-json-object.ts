import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts'

/** The JSON object in a text, or null if it holds anything else. */
export function parseJsonObject(text: string): JsonObject | null {
  try {
    const value: JsonValue = JSON.parse(text)
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}
