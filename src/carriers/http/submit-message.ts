import type { OutgoingMessage, SubmitOutcome } from '../../core/ports/carrier.ts'
import type { OutgoingRequest, SendHttp, Sent } from '../../core/ports/outgoing-request.ts'
import { takenParts, type PartProgress } from '../taken-parts.ts'
import type { RequestLimiter } from './request-limiter.ts'
import { readAnswer, type Answered } from './read-answer.ts'
import type { EventMeaning, HttpSettings } from './settings.ts'
import type { ProviderState } from './provider-state.ts'

/** Dependencies of submitting messages. */
export interface SubmitMessageOptions extends SubmitPartOptions {
  /** Writes the requests of a message; throws where one cannot be written. */
  readonly requestsOf: (message: OutgoingMessage) => readonly OutgoingRequest[]
  /** Makes an identifier for what the provider names none for. */
  readonly newPartId: () => string
}

/** Hands messages to a provider. */
export type SubmitMessage = (
  message: OutgoingMessage,
  signal: AbortSignal,
) => Promise<SubmitOutcome>

/**
 * Creates the function that submits messages. With one request per part, a part leaves after the
 * one before it was accepted: after a refusal no further part leaves, and at most one part is
 * uncertain.
 */
export function submitMessages(options: SubmitMessageOptions): SubmitMessage {
  const taken = takenParts<OutgoingRequest>()
  return async (message, signal) => {
    if (!options.settings.encodings.includes(message.encoding)) {
      options.stands.failed(`a message in ${message.encoding} is not carried`)
      return { kind: 'REJECTED', detail: 'REJECTED' }
    }
    let progress: PartProgress<OutgoingRequest>
    try {
      progress = taken.of(message, () => options.requestsOf(message))
    } catch {
      // The error may quote the message.
      options.stands.failed('a request could not be written')
      return { kind: 'REJECTED', detail: 'REJECTED' }
    }
    const ids: string[][] = progress.ids.map((id) => (id === null ? [] : [id]))
    for (const [index, request] of progress.parts.entries()) {
      if (progress.ids[index] !== null) continue
      const isBegun = progress.ids.some((id) => id !== null)
      const isRecalled = (): boolean => !isBegun && message.isRecalled?.() === true
      const result = await submitPart(options, request, isRecalled, signal)
      if (result.kind === 'TAKEN') {
        const own = result.ids.length > 0 ? [...result.ids] : [options.newPartId()]
        ids[index] = own
        progress.ids[index] = own[0] ?? null
      } else if (result.kind === 'REFUSED') {
        const refused = { kind: 'REJECTED', detail: result.detail } as const
        return isBegun ? { ...refused, isBegun } : refused
      } else if (result.kind === 'LATER' && !isBegun) return { ...result, kind: 'BUSY' }
      else {
        // The provider has some parts: a retry must send only the others.
        if (progress.parts.length > 1) taken.keep(message, progress)
        return { kind: 'UNCERTAIN', reason: result.reason }
      }
    }
    return { kind: 'SUBMITTED', carrierMessageIds: [...new Set(ids.flat())] }
  }
}

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
 * is not sent.
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
