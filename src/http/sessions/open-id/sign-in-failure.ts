import { fieldsOf, type Correlation } from '../../../core/correlation.ts'
import type { Log, LogLevel } from '../../../core/ports/log.ts'
import { Problem } from '../../../core/problem.ts'
import { unauthorizedPage } from '../../access/credentials.ts'
import { asksHtml } from '../../routing/check-head.ts'
import { type NoteRefusal, problemResponse } from '../../server/handle.ts'
import { header, type PlainResponse, type RequestHead } from '../../server/request.ts'

/** A row of the table below: what the client learns, and how loud the log is. */
interface FailureKind {
  readonly problem: () => Problem
  readonly level: LogLevel
}

/** Why a provider's sign-in ends without a session. The console has a text for each name. */
const failureKinds = {
  denied: {
    problem: () =>
      new Problem('forbidden', 'The provider denied access, or the sign-in was cancelled.'),
    level: 'warn',
  },
  // The code of the provider comes from the URL, which anyone can write.
  'refused-by-provider': {
    problem: () =>
      new Problem(
        'forbidden',
        'The provider refused the sign-in. The log of the service has its reason.',
      ),
    level: 'warn',
  },
  invalid: {
    problem: () =>
      unauthorizedPage(
        'The response of the provider does not belong to this sign-in, or was used before. Sign in again.',
      ),
    level: 'warn',
  },
  'not-begun': {
    problem: () =>
      new Problem(
        'invalid-request',
        'This browser began no sign-in within ten minutes: its cookie is missing or too old. Sign in again.',
      ),
    level: 'info',
  },
  'not-granted': {
    problem: () =>
      new Problem(
        'forbidden',
        'No grant of oidc in the configuration gives this person an active account.',
      ),
    level: 'warn',
  },
  unavailable: {
    problem: () =>
      new Problem('unavailable', 'The OpenID provider cannot be reached.', {
        headers: { 'retry-after': '5' },
      }),
    level: 'warn',
  },
} as const satisfies Record<string, FailureKind>

/** The name of a failure. */
export type FailureName = keyof typeof failureKinds

/** A sign-in that ends without a session. */
export class SignInFailure extends Error {
  override readonly name = 'SignInFailure'
  readonly failure: FailureName
  /** The person whom the provider named; undefined if it named none. */
  readonly person: string | undefined

  /** `reason` is for the log alone. */
  constructor(failure: FailureName, reason: string, person?: string) {
    super(reason)
    this.failure = failure
    this.person = person
  }
}

/** Dependencies of a refusal. */
export interface FailureParts {
  readonly log: Log
  readonly issuer: URL
  /** Notes a refusal for the audit. */
  readonly refused: NoteRefusal
}

/**
 * Responds to a failed sign-in: leads a browser to the console, which shows the reason and the next step, and
 * sends other clients a problem. Throws everything else.
 */
export function failureResponse(
  error: unknown,
  request: RequestHead,
  correlation: Correlation,
  { log, issuer, refused }: FailureParts,
): PlainResponse {
  if (!(error instanceof SignInFailure)) {
    // Repeated failures from one address end here.
    if (!(error instanceof Problem) || !isPage(request)) throw error
    return toConsole(error.problem, correlation)
  }
  const { failure, person, message: reason } = error
  const { problem: problemOf, level } = failureKinds[failure]
  const problem = problemOf()
  const about = { issuer: issuer.href, failure, reason, person }
  log(level, 'OpenID sign-in refused', { ...fieldsOf(correlation), ...about })
  const { status } = problem
  if (status === 401 || status === 403) refused(request, correlation.requestId, status, person)
  if (isPage(request)) return toConsole(failure, correlation)
  return problemResponse(problem, request, correlation, log)
}

function isPage(request: RequestHead): boolean {
  return asksHtml(header(request, 'accept'))
}

/** A code and an identifier: a text in the address could make the console say anything. */
function toConsole(code: string, { requestId }: Correlation): PlainResponse {
  const about = new URLSearchParams({ refused: code, request: requestId })
  const headers = { location: `/console#${about}`, 'cache-control': 'no-store' }
  return { status: 303, headers, body: null }
}
