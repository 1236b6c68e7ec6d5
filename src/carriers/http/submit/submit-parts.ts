import { correlationHeaders } from '../../../core/correlation.ts'
import type { Clock } from '../../../core/ports/clock.ts'
import type { SendHttp, Sent } from '../../../core/ports/outgoing-request.ts'
import { mergedRequest, type PartRequest, resultOfItem } from './merge-requests.ts'
import type { ProviderState } from './provider-state.ts'
import { readAnswer, readContent, type Answered } from '../reading/read-answer.ts'
import type { RequestLimiter } from './request-limiter.ts'
import type { EventMeaning, HttpSettings } from '../settings.ts'

/** A part that waits for its request. */
export interface WaitingPart {
  readonly part: PartRequest
  readonly isRecalled: () => boolean
}

/** Result of submitting one part. */
export type PartResult =
  /** Taken; `ids` is empty where the provider names no identifier. */
  | { readonly kind: 'TAKEN'; readonly ids: readonly string[] }
  | { readonly kind: 'REFUSED'; readonly detail: string; readonly code: string | null }
  /** The provider did not take it. */
  | { readonly kind: 'LATER'; readonly retryAfterMs: number; readonly reason: string }
  /** Perhaps taken. */
  | { readonly kind: 'UNCERTAIN'; readonly reason: string }

/** Dependencies of submitting parts. */
export interface SubmitPartOptions {
  readonly settings: HttpSettings
  readonly send: SendHttp
  readonly clock: Clock
  readonly pace: RequestLimiter
  readonly stands: ProviderState
  /** Called for every request that leaves. */
  readonly onSent: () => void
  /** Called for every part with the meaning of its response; null without one. */
  readonly onAnswer: (meaning: EventMeaning | null) => void
  /** An answer as it may be shown: without secrets. */
  readonly shown: (text: string) => string
}

/**
 * Waits for admission, sends the parts in one request, and returns their results in order. A part
 * whose message was recalled is not sent. Null if the provider refused the request as a whole and
 * parts must be sent one by one: one of them may be the reason.
 */
export async function submitParts(
  options: SubmitPartOptions,
  waiting: readonly WaitingPart[],
  signal: AbortSignal,
): Promise<readonly PartResult[] | null> {
  const { pace, send, onSent, settings } = options
  const turn = await pace.turn(signal)
  if (turn.kind === 'LATER') return waiting.map(() => turn)
  try {
    const parts = waiting.filter(({ isRecalled }) => !isRecalled()).map(({ part }) => part)
    const [first] = parts
    if (first === undefined) return waiting.map(() => recalled)
    for (const _ of parts) onSent()
    const request = mergedRequest(first, parts, settings.batch)
    const correlated = correlationHeaders(...parts.map(({ correlation }) => correlation))
    const headers = { ...correlated, ...request.headers }
    const sent = await send({ ...request, headers }, signal)
    const results = resultsOf(sent, parts.length, options)
    return results && waiting.map(({ part }) => results[parts.indexOf(part)] ?? recalled)
  } finally {
    pace.giveBack()
  }
}

const recalled: PartResult = { kind: 'LATER', retryAfterMs: 0, reason: 'the message was deleted' }

/** Retry delay if the provider names none, in milliseconds. */
const laterMs = 5000

/** The longest time that the provider can ask for. */
const laterMsMax = 3_600_000

function resultsOf(
  sent: Sent,
  count: number,
  { settings, pace, stands, shown, onAnswer }: SubmitPartOptions,
): readonly PartResult[] | null {
  if (sent.kind === 'NOT_SENT') {
    const reason = `the provider was not reached: ${sent.detail}`
    stands.unreachable(reason)
    return Array.from({ length: count }, () => ({ kind: 'LATER', retryAfterMs: laterMs, reason }))
  }
  if (sent.kind === 'UNANSWERED') {
    stands.unanswered(sent.detail)
    for (let part = 0; part < count; part += 1) onAnswer(null)
    return Array.from({ length: count }, () => ({ kind: 'UNCERTAIN', reason: sent.detail }))
  }
  const answers = answersOf(sent, count, settings)
  if (answers === null) return null
  for (const { meaning } of answers) onAnswer(meaning)
  const byMeaning = new Map(answers.map((each) => [each.meaning, each]))
  const quoted = ({ reason, said }: PartAnswer, fault = ''): string => {
    const text = shown(said.slice(0, toldMax)).trim()
    return `${reason}${fault}${text === '' ? '' : `: ${text}`}`
  }
  for (const answer of byMeaning.values()) {
    const { meaning, retryAfterMs } = answer
    tell(stands, meaning, quoted(answer))
    if (meaning === 'THROTTLED') pace.slower(retryAfterMs)
    if (meaning === 'ACCEPTED') pace.faster()
  }
  const without = answers.find(({ missingId }) => missingId !== null)
  if (without) stands.failed(quoted(without, ` without an identifier at ${without.missingId}`))
  return answers.map((each) => partResult(each, Math.min(each.retryAfterMs ?? laterMs, laterMsMax)))
}

/** The answer to one part, and its text: that of its own result if there is one. */
interface PartAnswer extends Answered {
  readonly said: string
}

/** The answers to all parts of a request; null if it was refused as a whole. */
function answersOf(
  sent: Extract<Sent, { kind: 'ANSWERED' }>,
  count: number,
  settings: HttpSettings,
): readonly PartAnswer[] | null {
  const content = readContent(sent, settings)
  const contents = Array.from({ length: count }, (_, index) =>
    resultOfItem(content, index, count, settings.batch),
  )
  const whole = Buffer.from(sent.body).toString()
  if (contents.every((each) => each !== null)) {
    return contents.map((each) => {
      const said = count === 1 ? whole : JSON.stringify(each)
      return { ...readAnswer(sent, settings, each), said }
    })
  }
  const answer = { ...readAnswer(sent, settings, content), said: whole }
  const isRefused = partResult(answer, 0).kind === 'REFUSED'
  // Without results by item a 2xx has accepted all of them, and their identifiers are unknown.
  const own = { ...answer, ids: count === 1 ? answer.ids : [] }
  return isRefused && count > 1 ? null : contents.map(() => own)
}

/** Maximum shown characters of a response that is no success. */
const toldMax = 300

function partResult({ meaning, ids, code, reason }: Answered, retryAfterMs: number): PartResult {
  switch (meaning) {
    case 'ACCEPTED':
      return { kind: 'TAKEN', ids }
    case 'REJECTED':
    case 'UNDELIVERABLE':
    case 'BLOCKED':
      return { kind: 'REFUSED', detail: meaning, code }
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
