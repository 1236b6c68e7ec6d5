import type { Callback, CallbackHead, CallbackOutcome } from '../../../core/ports/callback.ts'
import type { JsonValue } from '../../../core/json.ts'
import { formObject, readJson } from '../reading/read-body.ts'
import type { HttpSettings } from '../settings.ts'

/** Content of a callback: its body, or the query of a GET. */
export type CallbackContent =
  | { readonly kind: 'READ'; readonly value: JsonValue }
  | Extract<CallbackOutcome, { kind: 'UNREADABLE' | 'WRONG_TYPE' }>

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Parses a callback. */
export function readCallback(
  callback: Callback,
  { callbackFormat }: Pick<HttpSettings, 'callbackFormat'>,
): CallbackContent {
  const { method, headers, body } = callback
  if (method === 'GET') return { kind: 'READ', value: formObject(queryOf(callback)) }
  const format =
    callbackFormat === 'AUTO' ? formatOf(String(headers['content-type'] ?? '')) : callbackFormat
  if (format === null) {
    const detail = 'A callback is application/json or application/x-www-form-urlencoded.'
    return { kind: 'WRONG_TYPE', detail }
  }
  const text = decoded(body)
  if (text === null) return unreadable('The body is not UTF-8.')
  if (format === 'FORM') return { kind: 'READ', value: formObject(new URLSearchParams(text)) }
  const value = readJson(text)
  return value === undefined ? unreadable('The body is not JSON.') : { kind: 'READ', value }
}

/** Returns the parameters of a callback's query. */
export function queryOf({ target }: CallbackHead): URLSearchParams {
  return new URLSearchParams(target.split('?').slice(1).join('?'))
}

/** Makes the result of a callback that cannot be read. */
export function unreadable(detail: string): Extract<CallbackOutcome, { kind: 'UNREADABLE' }> {
  return { kind: 'UNREADABLE', detail }
}

function formatOf(contentType: string): 'JSON' | 'FORM' | null {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/json' || type.endsWith('+json')) return 'JSON'
  return type === 'application/x-www-form-urlencoded' ? 'FORM' : null
}

function decoded(body: Uint8Array): string | null {
  try {
    return decoder.decode(body)
  } catch {
    return null
  }
}
