import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts'
import type { RowKey } from './row.ts'

/** Name of the only member that replaces an encrypted value. No header, setting or field can have it. */
const mark = '(encrypted)'

/** Returns a pattern of `like` for hidden texts in which a key encrypts a value. */
export function encryptedPattern(keyId: string): string {
  return `%{"${mark}":"${keyId}.%`
}

/** Returns hidden fields as their row holds them: with encrypted secrets if the store has a key. */
export function encryptedHidden(place: RowKey, hidden: string | null): string | null {
  const { secrets } = place.table
  if (secrets === null || hidden === null) return hidden
  return changed(place, hidden, secrets.fields, (value, context) => ({
    [mark]: secrets.cipher.encrypt(context, JSON.stringify(value)),
  }))
}

/** Returns hidden fields in clear. Values from before the store had a key are in clear already. */
export function decryptedHidden(place: RowKey, hidden: string | null): string | null {
  const { secrets } = place.table
  if (secrets === null || hidden?.includes(mark) !== true) return hidden
  return changed(place, hidden, secrets.fields, (value, context) => {
    const encrypted = isJsonObject(value) ? value[mark] : undefined
    if (typeof encrypted !== 'string') return value
    return JSON.parse(secrets.cipher.decrypt(context, encrypted))
  })
}

function changed(
  { table, account, key }: RowKey,
  hidden: string,
  secretFields: readonly string[],
  change: (value: JsonValue, context: string) => JsonValue,
): string {
  const fields: JsonObject = JSON.parse(hidden)
  const parent = table.nested ? (key.parent ?? '') : ''
  const after = Object.entries(fields).map(([name, value]): [string, JsonValue] => {
    if (value === null || !secretFields.includes(name)) return [name, value]
    const context = JSON.stringify([account, table.qualifiedName, parent, key.id, name])
    return [name, change(value, context)]
  })
  return JSON.stringify(Object.fromEntries(after))
}
