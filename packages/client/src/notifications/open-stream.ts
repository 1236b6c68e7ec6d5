import {
  lostConnection,
  pathOf,
  requestInit,
  type Network,
  type Outgoing,
  type ServiceResponse,
} from '../requests/attempt.ts'
import { NuncioConnectionError } from '../requests/connection-error.ts'
import { deadline } from '../requests/deadline.ts'
import { judge } from '../requests/judge.ts'

/** The longest silence of a stream: three times the service's interval. */
const silenceMsMax = 45_000

/** Limits and callbacks of one connection. */
interface OpenOptions {
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  readonly onOpen: () => void
}

/**
 * Opens an event stream and yields its text, piece by piece, until it ends. Throws `NuncioProblem` for
 * a refusal, `NuncioConnectionError` if the connection is lost, or the reason of the signal.
 */
export async function* openStream(
  outgoing: Outgoing,
  { timeoutMs, signal, onOpen }: OpenOptions,
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
      throw refusal(await readWhole(response).catch(lost), outgoing, clock.now())
    }
    onOpen()
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

async function readWhole(response: Response): Promise<ServiceResponse> {
  return { status: response.status, headers: response.headers, text: await response.text() }
}

function refusal(response: ServiceResponse, outgoing: Outgoing, now: number): Error {
  const verdict = judge(response, outgoing, false, now)
  if ('error' in verdict) return verdict.error
  const message = `The response to ${pathOf(outgoing)} is not an event stream. Check baseUrl.`
  return new NuncioConnectionError('malformed', message)
}
