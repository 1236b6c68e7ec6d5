import { acceptance, refusalAnswer, type Answer } from './answer.ts'
import { systemClock, type ReceiverClock } from './clock.ts'
import type { DuplicateStore } from './duplicates.ts'
import { handOn, type Handlers } from './hand-on.ts'
import { readHeader } from './headers.ts'
import { verifyingKey, type VerifyingKey } from './key.ts'
import { parse } from './parse.ts'
import { readBody } from './read-body.ts'
import { Refusal } from './refusal.ts'
import { verify } from './verify.ts'
import type { WebhookRequest } from './webhook-request.ts'

/** Handles one request and returns the response. Rejects only if `onError` throws. */
export type Receiver = (request: WebhookRequest) => Promise<Answer>

/** A secret as the service showed it, or decoded. Undefined means an unset variable. */
export type Secret = string | VerifyingKey | undefined

/** The options of a receiver; only `secrets` is required. */
export interface ReceiverOptions extends Handlers {
  /** `whsec_…` or `whpk_…`; several during a rotation. Undefined ones are ignored. */
  readonly secrets: Secret | readonly Secret[]
  /** The tolerance of `webhook-timestamp`, in both directions. Default: 300. */
  readonly toleranceSeconds?: number
  /** Default 6 MiB: the service sends 5 MiB at most. */
  readonly bodyBytesMax?: number
  /** The limit for reading the body. Default: 10,000. */
  readonly readTimeoutMs?: number
  /** The store of handled records. Without it, a repeated record is handled again. */
  readonly duplicates?: DuplicateStore
  /** Called for each response with status 500; `cause` is the error. Default: `console.error`. */
  readonly onError?: (refusal: Refusal) => void
  readonly clock?: ReceiverClock
}

/**
 * Makes a receiver. Throws TypeError for a missing or malformed secret, and for a limit that is not
 * positive.
 */
export function receiver(options: ReceiverOptions): Receiver {
  const { onError = console.error, clock = systemClock, toleranceSeconds = 300 } = options
  const { bodyBytesMax = 6 * 1024 * 1024, readTimeoutMs = 10_000 } = options
  checkLimits({ toleranceSeconds, bodyBytesMax, readTimeoutMs })
  const keys = keysOf(options.secrets)
  const hand = handOn(options, options.duplicates)

  async function accept(request: WebhookRequest): Promise<void> {
    checkEnvelope(request)
    const body = await readBody(request, { bodyBytesMax, readTimeoutMs, clock })
    const delivery = verify(keys, request.headers, body, { nowMs: clock.now(), toleranceSeconds })
    await hand({ delivery, body, records: parse(body) })
  }

  return async (request) => {
    try {
      await accept(request)
      return acceptance
    } catch (error) {
      const refusal = error instanceof Refusal ? error : failure(error)
      if (refusal.status === 500) onError(refusal)
      return refusalAnswer(refusal)
    }
  }
}

function checkEnvelope({ method = 'POST', headers }: WebhookRequest): void {
  if (method !== 'POST') throw new Refusal(405, 'A webhook is sent by POST.')

  const [type = ''] = (readHeader(headers, 'content-type') ?? '').split(';')
  if (type.trim().toLowerCase() !== 'application/json') {
    throw new Refusal(415, 'A webhook is sent with Content-Type: application/json.')
  }
}

function failure(cause: unknown): Refusal {
  return new Refusal(500, 'The receiver failed. Its own log says why. Send the array again.', {
    cause,
  })
}

function keysOf(secrets: ReceiverOptions['secrets']): readonly VerifyingKey[] {
  const given = [secrets].flat().filter((secret) => secret !== undefined)
  if (given.length === 0) {
    throw new TypeError('The secret is missing: pass the webhook\'s own (whsec_…) as "secrets".')
  }
  return given.map((secret) => (typeof secret === 'string' ? verifyingKey(secret) : secret))
}

function checkLimits(limits: Readonly<Record<string, number>>): void {
  for (const [name, limit] of Object.entries(limits)) {
    if (!(limit > 0)) throw new TypeError(`"${name}" must be a number above zero; got ${limit}.`)
  }
}
