import {
  lostConnection,
  placeOf,
  requestInit,
  type Answer,
  type Network,
  type Outgoing,
} from './attempt.ts'
import { NuncioConnectionError } from './connection-error.ts'
import { deadline } from './deadline.ts'
import { judge } from './judge.ts'

/** How long a stream may be silent: three times as long as the service is. */
const silenceMsMax = 45_000

/**
 * Opens an event stream and gives its text, piece after piece, until it ends. Throws `NuncioProblem`
 * for a refusal, `NuncioConnectionError` where the connection is lost, the reason of the signal.
 */
export async function* openStream(
  outgoing: Outgoing,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  { fetch, clock }: Network,
): AsyncGenerator<string, void> {
  const limit = deadline(clock, timeoutMs, signal)
  const lost = (error: unknown): never => {
    signal?.throwIfAborted()
    throw lostConnection(outgoing, limit.expired, error)
  }
  try {
    const response = await fetch(outgoing.url, requestInit(outgoing, limit.signal)).catch(lost)
    if (!isEventStream(response)) {
      throw refusal(await plain(response).catch(lost), outgoing, clock.now())
    }
    const decoder = new TextDecoder()
    const reader = response.body.getReader()
    for (;;) {
      limit.restart(silenceMsMax)
      const { done, value } = await reader.read().catch(lost)
      limit.pause()
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    limit.end()
  }
}

type EventStream = Response & { readonly body: ReadableStream<Uint8Array> }

function isEventStream(response: Response): response is EventStream {
  const type = response.headers.get('content-type') ?? ''
  return response.status === 200 && /^text\/event-stream\b/i.test(type) && response.body !== null
}

async function plain(response: Response): Promise<Answer> {
  return { status: response.status, headers: response.headers, text: await response.text() }
}

function refusal(answer: Answer, outgoing: Outgoing, now: number): Error {
  const verdict = judge(answer, outgoing, false, now)
  if ('error' in verdict) return verdict.error
  const message = `${placeOf(outgoing)} was not answered with an event stream. Check baseUrl.`
  return new NuncioConnectionError('malformed', message)
}
