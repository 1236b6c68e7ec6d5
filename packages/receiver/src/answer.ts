import type { Refusal } from './refusal.ts'

/** A response that any runtime can write. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Empty, or problem details (RFC 9457). */
  readonly body: string
  /** True if the body was not read to its end, so that the connection cannot be reused. */
  readonly close: boolean
}

/** The response after all records are handled. */
export const acceptance: Answer = { status: 204, headers: {}, body: '', close: false }

/** Header fields that HTTP requires for some statuses (RFC 9110, sections 11.6.1 and 10.2.1). */
const headersByStatus: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'www-authenticate': 'StandardWebhooks' },
  405: { allow: 'POST' },
}

/** Returns a refusal as `application/problem+json`. */
export function refusalAnswer({ status, title, message, errors }: Refusal): Answer {
  return {
    status,
    headers: { 'content-type': 'application/problem+json', ...headersByStatus[status] },
    body: JSON.stringify({ title, status, detail: message, ...(errors.length > 0 && { errors }) }),
    close: status === 408 || status === 413,
  }
}
