import type { Refusal } from './refusal.ts'

/** An answer that any runtime can write. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Empty, or a problem (RFC 9457). */
  readonly body: string
  /** True where the body was not read to its end, so that the connection is of no further use. */
  readonly close: boolean
}

/** The whole array has been handled. */
export const acceptance: Answer = { status: 204, headers: {}, body: '', close: false }

/** What HTTP wants beside the problem for some statuses (RFC 9110, sections 11.6.1 and 10.2.1). */
const headersByStatus: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'www-authenticate': 'StandardWebhooks' },
  405: { allow: 'POST' },
}

/** The refusal as `application/problem+json`. */
export function refusalAnswer({ status, title, message, errors }: Refusal): Answer {
  return {
    status,
    headers: { 'content-type': 'application/problem+json', ...headersByStatus[status] },
    body: JSON.stringify({ title, status, detail: message, ...(errors.length > 0 && { errors }) }),
    close: status === 408 || status === 413,
  }
}
