import { outgoing, type Call } from './call.ts'
import { wait } from './clock.ts'
import { eventReader } from './event-stream.ts'
import type { Place } from './feed.ts'
import { openStream } from './open-stream.ts'
import type { RequestOptions } from './options.ts'
import { isPassing, wantedWaitMs } from './passing.ts'
import { jitteredMs } from './repeat.ts'
import type { Settings } from './settings.ts'

/** A wait before the stream is opened again is at most this long, unless the service asks for more. */
const waitMsMax = 30_000
/** A connection that lasted this long was a good one, even if there was nothing to tell. */
const steadyMs = 30_000

/** Follows the event stream behind a place, over as many connections as it takes. */
export async function* streamNotifications<R>(
  settings: Settings,
  path: string,
  place: Place,
  options: RequestOptions,
): AsyncGenerator<R, void> {
  const { clock, random } = settings
  let failures = 0
  for (;;) {
    const openedMs = clock.monotonic()
    let askedMs = 0
    try {
      for await (const data of records(settings, path, place, options)) {
        if (data === '') continue
        failures = 0
        yield recordIn<R>(data)
      }
    } catch (error) {
      if (!isPassing(error)) throw error
      askedMs = wantedWaitMs(error)
    }
    failures = clock.monotonic() - openedMs < steadyMs ? failures + 1 : 1
    await wait(clock, askedMs + jitteredMs(failures, random, waitMsMax), options.signal)
  }
}

/** The events of one connection. Each moves the place; those without data do nothing else. */
async function* records(
  settings: Settings,
  path: string,
  place: Place,
  options: RequestOptions,
): AsyncGenerator<string, void> {
  const headers = { accept: 'text/event-stream', 'last-event-id': place.id ?? undefined }
  const call: Call = { method: 'GET', path, headers, options }
  const timeoutMs = options.timeoutMs ?? settings.timeoutMs
  const pieces = openStream(outgoing(settings, call), timeoutMs, options.signal, settings)
  const read = eventReader(place.id ?? '')
  for await (const piece of pieces) {
    for (const { id, data } of read(piece)) {
      if (id !== '') place.id = id
      yield data
    }
  }
}

/** The service vouches for what is in its stream. */
function recordIn<R>(data: string): R {
  return JSON.parse(data)
}
