import type { NuncioConnectionError, NuncioProblem } from '@nuncio/client'
import { printable } from './printable.ts'

/** Fixes of a refusal, by status. */
const hints: Readonly<Record<number, string>> = {
  401: 'Give a valid key with --key or NUNCIO_KEY. The first start on an empty store shows one.',
  403: 'The key is valid but lacks the permission: use another with --key or NUNCIO_KEY.',
}

/** Returns why a call of the service at `url` failed and how to fix it; null for any other error. */
export async function failureText(error: unknown, url: string): Promise<string | null> {
  const { NuncioConnectionError, NuncioProblem } = await import('@nuncio/client')
  if (error instanceof NuncioProblem) {
    return error.type === 'unknown' ? foreignText(error, url) : problemText(error)
  }
  return error instanceof NuncioConnectionError ? connectionText(error, url) : null
}

/** Returns why a request had no response, in a few words: `fetch` itself only reports a failure. */
export function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && typeof error.code === 'string') return error.code
  if (error instanceof AggregateError && error.errors.length > 0)
    return networkReason(error.errors[0])
  return error.cause === undefined ? error.message : networkReason(error.cause)
}

/** Statuses of a proxy whose service does not answer. */
const proxyFailures = new Set([502, 503, 504])

/** Returns why a response that is no problem of Nuncio's failed a call. */
function foreignText({ status }: NuncioProblem, url: string): string {
  return proxyFailures.has(status)
    ? `A proxy before ${url} answers ${status}: the service is not reached.\nRetry later, or look at its log.`
    : notNuncio(url, `It answers ${status} without the problem details of Nuncio.`)
}

function notNuncio(url: string, detail: string): string {
  return `The service at ${url} is not Nuncio.\n${detail}\nName the service with --service or NUNCIO_SERVICE.`
}

/** Returns how long the service asks to wait, such as during maintenance. */
function waitText(retryAfterMs: number | null): readonly string[] {
  if (retryAfterMs === null) return []
  const seconds = Math.ceil(retryAfterMs / 1000)
  const time = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
  return [`Retry in ${time}.`]
}

function problemText(problem: NuncioProblem): string {
  const { status, title, detail, errors, page, requestId, retryAfterMs } = problem
  const faults = errors.map((fault) =>
    'pointer' in fault ? `${fault.pointer} ${fault.detail}` : `${fault.parameter} ${fault.detail}`,
  )
  return [
    `Refused: ${title} (${status})`,
    ...(faults.length > 0 ? faults : detail === '' ? [] : [detail]),
    ...(hints[status] === undefined ? [] : [hints[status]]),
    ...waitText(retryAfterMs),
    ...(page === null ? [] : [`More: ${page}`]),
    ...(requestId === null ? [] : [`Request: ${requestId}`]),
  ]
    .map(printable)
    .join('\n  ')
}

function connectionText({ fault, message, cause }: NuncioConnectionError, url: string): string {
  if (fault === 'malformed') {
    return notNuncio(url, printable(message.replace(' Check baseUrl.', '')))
  }
  const reason = fault === 'timeout' ? 'timeout' : printable(networkReason(cause))
  return (
    `No service answers at ${url} (${reason}).\n` +
    'Start it with "nuncio serve", or name another with --service or NUNCIO_SERVICE.'
  )
}
