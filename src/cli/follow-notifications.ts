import type { ClientConfig } from '../config/client-settings.ts'
import { wait } from '../core/ports/clock.ts'
import { isBusy, retryAfterMs } from './busy.ts'
import { readAnswer } from './call-api.ts'
import { eventStreamParser, type EventStreamParser, type StreamEvent } from './event-stream.ts'
import { fetchApi, Unreachable } from './fetch-api.ts'
import { networkReason } from './network-reason.ts'
import { problemText } from './problem-text.ts'
import type { ProcessContext } from './process-context.ts'

/** What to follow, and whom to tell of the connection. */
export interface Subscription {
  readonly config: ClientConfig
  /** The place in the log to begin behind; null: begin with what comes from now on. */
  readonly after: string | null
  /** Ends it. */
  readonly signal: AbortSignal
  readonly onOpen: () => void
  /** Told before each wait for another connection. */
  readonly onBreak: (reason: string, delayMs: number) => void
}

/** The stream cannot be had, and trying again would not help. The message says why. */
export class StreamRefused extends Error {
  override readonly name = 'StreamRefused'
}

/** The first wait for another connection; each further one is twice as long. */
const firstDelayMs = 500
const delayMsMax = 30_000
/** A connection that held so long was no failure. */
const steadyMs = 10_000

/** How a connection ended. */
type Ending =
  | { readonly kind: 'BROKEN'; readonly reason: string }
  | { readonly kind: 'BUSY'; readonly reason: string; readonly waitMs: number }
  | { readonly kind: 'UNREACHABLE'; readonly reason: string; readonly text: string }
  | { readonly kind: 'REFUSED'; readonly text: string }

/**
 * The events of `GET /v1/notifications`, without gap over broken connections: each new one resumes
 * behind the last event that was read. Throws `StreamRefused` where the service refuses, or cannot be
 * reached from the beginning.
 */
export async function* followNotifications(
  surroundings: ProcessContext,
  subscription: Subscription,
): AsyncGenerator<StreamEvent, void> {
  const { clock } = surroundings
  const { signal, onBreak } = subscription

  let lastEventId = subscription.after ?? ''
  let opened = false
  let failures = 0
  for (;;) {
    const startedAt = clock.monotonic()
    const parser = eventStreamParser(lastEventId)
    const ending = yield* connection(surroundings, subscription, parser)
    if (signal.aborted) return

    opened ||= ending.kind === 'BROKEN'
    if (ending.kind === 'REFUSED') throw new StreamRefused(ending.text)
    if (ending.kind === 'UNREACHABLE' && !opened) throw new StreamRefused(ending.text)
    lastEventId = parser.lastEventId
    if (clock.monotonic() - startedAt >= steadyMs) failures = 0

    const grown = Math.min((parser.retryMs ?? firstDelayMs) * 2 ** failures, delayMsMax)
    const delayMs = ending.kind === 'BUSY' ? Math.max(grown, ending.waitMs) : grown
    failures += 1
    onBreak(ending.reason, delayMs)
    await wait(clock, delayMs, signal)
    if (signal.aborted) return
  }
}

async function* connection(
  surroundings: ProcessContext,
  subscription: Subscription,
  parser: EventStreamParser,
): AsyncGenerator<StreamEvent, Ending> {
  const opening = await open(surroundings, subscription, parser.lastEventId)
  if (!(opening instanceof ReadableStream)) return opening

  subscription.onOpen()
  const reader = opening.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const piece = await reader.read().catch(networkReason)
      if (typeof piece === 'string') return { kind: 'BROKEN', reason: piece }
      if (piece.done) return { kind: 'BROKEN', reason: 'closed by the service' }
      yield* parse(parser, decoder.decode(piece.value, { stream: true }))
    }
  } finally {
    // The reader may be in the middle of an event that nobody waits for any more.
    await reader.cancel().catch(() => {})
  }
}

/** An event that is too long would be so on each further connection. */
function parse(parser: EventStreamParser, text: string): readonly StreamEvent[] {
  try {
    return parser.push(text)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new StreamRefused(error.message)
  }
}

async function open(
  surroundings: ProcessContext,
  { config, signal }: Subscription,
  lastEventId: string,
): Promise<ReadableStream<Uint8Array> | Ending> {
  try {
    const response = await fetchApi(surroundings, config, {
      method: 'GET',
      path: '/v1/notifications',
      headers: {
        accept: 'text/event-stream',
        ...(lastEventId === '' ? {} : { 'last-event-id': lastEventId }),
      },
      signal,
    })
    const type = response.headers.get('content-type') ?? ''
    if (response.status === 200 && response.body !== null && /^text\/event-stream\b/.test(type)) {
      return response.body
    }

    const answer = await readAnswer(response, config)
    const text = problemText(answer)
    return isBusy(answer)
      ? { kind: 'BUSY', reason: `answer ${answer.status}`, waitMs: retryAfterMs(answer) }
      : { kind: 'REFUSED', text }
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    return { kind: 'UNREACHABLE', reason: networkReason(error.cause), text: error.message }
  }
}
