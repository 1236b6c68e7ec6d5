import type { AccountId } from '../../core/account.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type {
  LogEntry,
  LogFilter,
  LogPosition,
  LogReader,
} from '../../core/ports/notification-log.ts'
import type { Store } from '../../core/ports/store.ts'
import { recordDown, type ServedVersion } from '../../versions/versions.ts'
import type { BytesInFlight } from '../server/bytes-in-flight.ts'
import type { CursorCodec } from './cursor-codec.ts'
import { charactersOf } from './notification-page.ts'

/** The most records that a stream reads from the log at a time, and those of the first time. */
const [batchMax, firstBatch] = [32, 4]
/** Characters of a batch from which on the next one has fewer records: clients that do not read hold one each. */
const batchCharacters = 65_536
/**
 * Silence of a stream before a heartbeat, in milliseconds; below the idle timeout of common
 * proxies.
 */
const heartbeatMs = 15_000

/** Inputs of a stream: account, start and filter. */
export interface StreamSource {
  readonly log: StreamedLog
  readonly account: AccountId
  readonly codec: CursorCodec
  readonly from: LogPosition
  readonly filter: LogFilter
  readonly version: ServedVersion
  readonly inFlight: BytesInFlight
  readonly gone: AbortSignal | undefined
  /** Returns true while the key that opened the stream is valid. */
  readonly isStillAllowed: () => Promise<boolean>
}

/** Sends stored records, then new ones, until the client disconnects or its key becomes invalid. */
export async function* eventStream(
  store: Store,
  clock: Clock,
  { log, account, codec, from, filter, version, inFlight, gone, isStillAllowed }: StreamSource,
): AsyncIterable<string> {
  const signal = logSignal(store, clock, account, gone)
  try {
    // Clients do not dispatch an event without data; they store its id as cursor.
    yield `id: ${codec.encodeSalted(from)}\n\n`
    let position = from
    let sentAt = clock.monotonic()
    let limit = firstBatch
    while (gone?.aborted !== true) {
      const end = await log.end(account)
      const entries = await log.read(account, position, filter, limit)
      const isAtEnd = entries.length < limit
      if (!(await isStillAllowed())) return
      const characters = charactersOf(entries)
      if (entries.length > 0) {
        const held = inFlight.hold(account)
        try {
          held.add(characters)
          yield entries.map((entry) => event(entry, codec, version)).join('')
        } finally {
          held.release()
        }
      }
      limit = nextLimit(limit, characters)
      // If no record matches, skip those read.
      position = entries.at(-1)?.position ?? end
      if (entries.length > 0) sentAt = clock.monotonic()
      if (isAtEnd && !(await signal.waitUntil(sentAt + heartbeatMs))) {
        yield `: still here\nid: ${codec.encodeSalted(position)}\n\n`
        sentAt = clock.monotonic()
      }
    }
  } finally {
    signal.close()
  }
}

/** Returns how many records to read next: twice as many while they are small. */
function nextLimit(limit: number, characters: number): number {
  if (characters <= batchCharacters / 2) return Math.min(2 * limit, batchMax)
  return Math.max(1, Math.min(limit, Math.floor((limit * batchCharacters) / characters)))
}

function event({ position, record }: LogEntry, codec: CursorCodec, version: ServedVersion): string {
  return `id: ${codec.encode(position)}\ndata: ${recordDown(version, record)}\n\n`
}

/** A signal that the log may have new records. */
interface LogSignal {
  /** Waits until it rings, true, or until the moment given on the clock that never goes back, false. */
  waitUntil(until: number): Promise<boolean>
  close(): void
}

/**
 * Rings when the account's log grew, or keys changed; what rang before anyone listened is not lost.
 */
function logSignal(
  store: Store,
  clock: Clock,
  account: AccountId,
  gone: AbortSignal | undefined,
): LogSignal {
  let grown = true
  let wake: ((rang: boolean) => void) | null = null
  const ring = (): void => {
    grown = true
    wake?.(true)
  }
  const stop = store.onCommit(({ notified, changed }) => {
    if (notified.has(account) || changed.has('keys') || changed.has('accounts')) ring()
  })
  gone?.addEventListener('abort', ring, { once: true })
  return {
    waitUntil: async (until) => {
      if (!grown) {
        let cancel = (): void => {}
        const rang = await new Promise<boolean>((resolve) => {
          wake = resolve
          cancel = clock.after(Math.max(until - clock.monotonic(), 0), () => resolve(false))
        })
        cancel()
        wake = null
        if (!rang) return false
      }
      grown = false
      return true
    },
    close: stop,
  }
}

/** What event streams read of the log. */
type StreamedLog = Pick<LogReader, 'read' | 'end'>

/**
 * Returns a log in which simultaneous reads of the same are one: a commit wakes all streams of an account. A read that
 * has begun is not shared: it may not see what its second caller waits for.
 */
export function sharedReads(log: StreamedLog): StreamedLog {
  const ends = shared<Awaited<ReturnType<StreamedLog['end']>>>()
  const reads = shared<Awaited<ReturnType<StreamedLog['read']>>>()
  return {
    end: (account) => ends(account, () => log.end(account)),
    read: (...range) => reads(JSON.stringify(range), () => log.read(...range)),
  }
}

/** Returns a function that asks once for all who ask under a name before the asking begins. */
function shared<T>(): (name: string, ask: () => Promise<T>) => Promise<T> {
  const waiting = new Map<string, Promise<T>>()
  return (name, ask) => {
    const known = waiting.get(name)
    if (known !== undefined) return known
    const answer = Promise.resolve().then(() => {
      waiting.delete(name)
      return ask()
    })
    waiting.set(name, answer)
    return answer
  }
}
