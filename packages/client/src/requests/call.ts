import type { ServiceResponse, Outgoing } from './attempt.ts'
import type { RequestOptions } from '../options.ts'
import type { Send } from './send.ts'
import type { Settings } from '../settings.ts'

/** A request in the words of an operation. */
export interface Call {
  readonly method: Outgoing['method']
  /** Below the version, such as `messages/message_1`, with its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** Whether to carry it out twice is as good as once; as the method says where it is left out. */
  readonly idempotent?: boolean
  readonly options: RequestOptions | undefined
}

/** Makes the request of a call and sends it. */
export type Caller = (call: Call) => Promise<ServiceResponse>

/** Makes what turns calls into requests to one service. */
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

/** The request that a call is. Throws TypeError for a header field that is none. */
export function outgoing(settings: Settings, call: Call): Outgoing {
  const { method, path, body, options } = call
  const headers = new Headers({ ...settings.headers, ...options?.headers })
  headers.set('authorization', `Bearer ${settings.key}`)
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
