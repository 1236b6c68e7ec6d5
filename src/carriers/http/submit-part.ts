import type { OutgoingRequest, SendHttp, Sent } from '../../core/ports/outgoing-request.ts'
import type { RequestLimiter } from './request-limiter.ts'
import { readAnswer, type Answered } from './read-answer.ts'
import type { HttpSettings, EventMeaning } from './settings.ts'
import type { ProviderState } from './provider-state.ts'

/** Result of submitting one part. */
export type PartResult =
  /** Taken; `ids` is empty where the provider names no identifier. */
  | { readonly kind: 'TAKEN'; readonly ids: readonly string[] }
  | { readonly kind: 'REFUSED'; readonly detail: string }
  /** The provider did not take it. */
  | { readonly kind: 'LATER'; readonly retryAfterMs: number; readonly reason: string }
  /** Perhaps taken. */
  | { readonly kind: 'UNCERTAIN'; readonly reason: string }

/** Dependencies of submitting parts. */
export interface SubmitPartOptions {
  readonly settings: HttpSettings
  readonly send: SendHttp
  readonly pace: RequestLimiter
  readonly stands: ProviderState
  /** Called for every request that leaves. */
  readonly onSent: () => void
  /** An answer as it may be shown: without secrets. */
  readonly shown: (text: string) => string
}

/**
 * Waits for admission, sends the request, and returns its result. A part whose message was recalled
 * is
 * not sent.
 */
export async function submitPart(
  options: SubmitPartOptions,
  request: OutgoingRequest,
  isRecalled: () => boolean,
  signal: AbortSignal,
): Promise<PartResult> {
  const { pace, send, onSent } = options
  const turn = await pace.turn(signal)
  if (turn.kind === 'LATER') return turn
  try {
    if (isRecalled()) return { kind: 'LATER', retryAfterMs: 0, reason: 'the message was deleted' }
    onSent()
    return resultOf(await send(request, signal), options)
  } finally {
    pace.giveBack()
  }
}

/** Retry delay if the provider names none, in milliseconds. */
const laterMs = 5000

/** The longest time that the provider can ask for. */
const laterMsMax = 3_600_000

function resultOf(sent: Sent, { settings, pace, stands, shown }: SubmitPartOptions): PartResult {
  if (sent.kind === 'NOT_SENT') {
    const reason = `the provider was not reached: ${sent.detail}`
    stands.unreachable(reason)
    return { kind: 'LATER', retryAfterMs: laterMs, reason }
  }
  if (sent.kind === 'UNANSWERED') {
    stands.unanswered(sent.detail)
    return { kind: 'UNCERTAIN', reason: sent.detail }
  }
  const answered = readAnswer(sent, settings)
  const { meaning, retryAfterMs, reason } = answered
  const said = shown(Buffer.from(sent.body).toString().slice(0, toldMax)).trim()
  const told = said === '' ? reason : `${reason}: ${said}`
  tell(stands, meaning, told)
  if (meaning === 'THROTTLED') pace.slower(retryAfterMs)
  if (meaning === 'ACCEPTED') pace.faster()
  return partResult(answered, Math.min(retryAfterMs ?? laterMs, laterMsMax))
}

/** Maximum shown characters of a response that is no success. */
const toldMax = 300

function partResult({ meaning, ids, reason }: Answered, retryAfterMs: number): PartResult {
  switch (meaning) {
    case 'ACCEPTED':
      return { kind: 'TAKEN', ids }
    case 'REJECTED':
    case 'UNDELIVERABLE':
    case 'BLOCKED':
      return { kind: 'REFUSED', detail: meaning }
    case 'RETRY':
    case 'THROTTLED':
    case 'UNAVAILABLE':
      return { kind: 'LATER', retryAfterMs, reason }
    case 'UNCERTAIN':
      return { kind: 'UNCERTAIN', reason }
  }
}

function tell(stands: ProviderState, meaning: EventMeaning, told: string): void {
  switch (meaning) {
    case 'UNAVAILABLE':
      return stands.refused(told)
    case 'UNCERTAIN':
      return stands.unanswered(told)
    case 'ACCEPTED':
      return stands.answered()
    default:
      stands.answered()
      stands.failed(told)
  }
}
