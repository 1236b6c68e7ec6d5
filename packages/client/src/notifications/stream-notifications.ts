import { outgoing, type Call } from '../requests/call.ts'
import { wait } from '../clock.ts'
import { NuncioConnectionError } from '../requests/connection-error.ts'
import { isTransient, requestedWaitMs } from '../requests/judge.ts'
import { jitteredMs } from '../requests/delay-before-next.ts'
import type { Settings } from '../settings.ts'
import { eventReader, type EventReader, type StreamEvent } from './event-stream.ts'
import type { FeedCursor } from './feed.ts'
import type { StreamInterruption, StreamOptions } from './notification.ts'
import { openStream } from './open-stream.ts'

/** The longest wait before another connection, unless the service asks for more. */
const waitMsMax = 30_000
/** A connection of this length counts as a success, even without a record. */
const steadyMs = 30_000

/** A connection, with the state that the next one needs. */
interface Connection {
  readonly settings: Settings
  readonly path: string
  readonly cursor: FeedCursor
  readonly options: StreamOptions
  /** The wait that the stream asks for before another connection. */
  retryMs: number | null
}

/** Follows the event stream after a cursor, and connects again after each interruption. */
export async function* streamNotifications<R>(
  settings: Settings,
  path: string,
  cursor: FeedCursor,
  options: StreamOptions,
): AsyncGenerator<R, void> {
  const { clock, random } = settings
  const connection: Connection = { settings, path, cursor, options, retryMs: null }
  let failures = 0
  for (;;) {
    const openedMs = clock.monotonic()
    let cause: StreamInterruption['cause'] = null
    try {
      for await (const data of records(connection)) {
        if (data === '') continue
        failures = 0
        yield parseRecord<R>(data)
      }
    } catch (error) {
      if (!isTransient(error)) throw error
      cause = error
    }
    failures = clock.monotonic() - openedMs < steadyMs ? failures + 1 : 1
    const askedMs = requestedWaitMs(cause) + (connection.retryMs ?? 0)
    const delayMs = askedMs + jitteredMs(failures, random, waitMsMax)
    options.onInterrupted?.({ cause, delayMs })
    await wait(clock, delayMs, options.signal)
  }
}

/** Yields the data of one connection's events. Each event moves the cursor. */
async function* records(connection: Connection): AsyncGenerator<string, void> {
  const { settings, path, cursor, options } = connection
  const headers = { accept: 'text/event-stream', 'last-event-id': cursor.id ?? undefined }
  const call: Call = { method: 'GET', path, headers, options }
  const timeoutMs = options.timeoutMs ?? settings.timeoutMs
  const onOpen = options.onOpen ?? (() => {})
  const pieces = openStream(outgoing(settings, call), { ...options, timeoutMs, onOpen }, settings)
  const reader = eventReader(cursor.id ?? '')
  for await (const piece of pieces) {
    for (const { id, data } of readEvents(reader, piece)) {
      if (id !== '') cursor.id = id
      yield data
    }
    connection.retryMs = reader.retryMs ?? connection.retryMs
  }
}

/** An event that is too long would be so on each further connection. */
function readEvents(reader: EventReader, piece: string): readonly StreamEvent[] {
  try {
    return reader.read(piece)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new NuncioConnectionError('malformed', error.message, error)
  }
}

/** The service guarantees the form of a record, if it is JSON at all. */
function parseRecord<R>(data: string): R {
  try {
    return JSON.parse(data)
  } catch (error) {
    const message = 'An event of the stream is not JSON. Check baseUrl.'
    throw new NuncioConnectionError('malformed', message, error)
  }
}
