import type { ServiceResponse, Outgoing } from './attempt.ts'
import type { RequestOptions } from '../options.ts'
import type { Send } from './send.ts'
import type { Settings } from '../settings.ts'

/** A request of an operation. */
export interface Call {
  readonly method: Outgoing['method']
  /** The path below the version with its query, such as `messages/message_1`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** The body, sent as JSON. */
  readonly body?: unknown
  /** A repetition has no further effect. Default: by the method. */
  readonly idempotent?: boolean
  readonly options: RequestOptions | undefined
}

/** Sends the request of a call. */
export type Caller = (call: Call) => Promise<ServiceResponse>

/** Makes the function that sends calls to one service. */
export function caller(settings: Settings, send: Send): Caller {
  return async (call) => {
    const { method, options = {} } = call
    return send({
      ...outgoing(settings, call),
      idempotent: call.idempotent ?? (method !== 'POST' && method !== 'PATCH'),
      timeoutMs: options.timeoutMs ?? settings.timeoutMs,
      signal: options.signal,
    })
  }
}

/** Returns the HTTP request of a call. Throws TypeError for an invalid header field. */
export function outgoing(settings: Settings, call: Call): Outgoing {
  const { method, path, body, options } = call
  const headers = new Headers({ ...settings.headers, ...options?.headers })
  if (settings.key !== undefined) headers.set('authorization', `Bearer ${settings.key}`)
  if (!headers.has('accept')) headers.set('accept', 'application/json')
  if (body !== undefined) headers.set('content-type', 'application/json')
  for (const [name, value] of Object.entries(call.headers ?? {})) {
    if (value !== undefined) headers.set(name, value)
  }
  return {
    method,
    url: settings.root + path,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  }
}
