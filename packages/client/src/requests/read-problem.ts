import type { InputError, ProblemName } from '../../../../src/core/problem.ts'
import { NuncioProblem, type ProblemType } from './problem.ts'
import type { ServiceResponse } from './attempt.ts'

/** Reads the problem details of a response to `url`; a proxy may have sent a response without them. */
export function readProblem(
  response: ServiceResponse,
  url: string,
  retryAfterMs: number | null,
  uncertain: boolean,
): NuncioProblem {
  const { status, headers, text } = response
  const isProblem = headers.get('content-type')?.includes('application/problem+json') === true
  const body = isProblem ? members(text) : {}
  return new NuncioProblem({
    status,
    type: typeIn(body['type']),
    title: textIn(body['title']) ?? 'Refused by something other than Nuncio',
    detail: textIn(body['detail']) ?? '',
    errors: errorsIn(body['errors']),
    page: pageOf(body['type'], url),
    requestId: textIn(body['requestId']) ?? headers.get('x-request-id'),
    retryAfterMs,
    uncertain,
  })
}

function members(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** `about:blank` has no page. */
function pageOf(type: unknown, url: string): string | null {
  if (typeof type !== 'string' || !URL.canParse(type, url)) return null
  const page = new URL(type, url)
  return /^https?:$/.test(page.protocol) ? page.href : null
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** Accepts names that this client does not know yet. */
function typeIn(value: unknown): ProblemType {
  const name = /\/problems\/([a-z-]+)$/.exec(textIn(value) ?? '')?.[1]
  return name === undefined ? 'unknown' : (name as ProblemName)
}

function errorsIn(value: unknown): readonly InputError[] {
  return Array.isArray(value) ? value.filter(isInputError) : []
}

function isInputError(value: unknown): value is InputError {
  return typeof value === 'object' && value !== null && 'detail' in value
}
