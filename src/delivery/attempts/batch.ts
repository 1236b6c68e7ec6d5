import type { AccountId } from '../../core/account.ts'
import type {
  LogEntry,
  LogFilter,
  LogReader,
  LogPosition,
} from '../../core/ports/notification-log.ts'
import type { PlannedBatch } from '../progress/progress.ts'

/** The most octets of a body, one record excepted: receivers limit what they take. */
export const bodyBytesMax = 5 * 1024 * 1024

/** Records can be long: they are read in slices, until the body is full. */
const sliceMax = 100

/** Maximum read ahead after the first batch: it stays in memory. */
const aheadMax = { records: 1000, bytes: 512 * 1024 }

/** A reader's place in the log. */
export interface LogCursor {
  readonly account: AccountId
  readonly after: LogPosition
  readonly filter: LogFilter
}

/** Content of a next batch. */
export interface FoundBatch {
  readonly entries: readonly LogEntry[]
  /** True if no further record fits. */
  readonly isFull: boolean
}

/**
 * Reads up to `depth` consecutive batches of up to `count` entries that fit into one body. All are
 * full except possibly the first: a batch that is not full may still grow.
 */
export async function findBatches(
  log: Pick<LogReader, 'read'>,
  place: LogCursor,
  count: number,
  depth: number,
): Promise<readonly FoundBatch[]> {
  const found: FoundBatch[] = []
  const wanted = Math.max(count, Math.min(count * depth, aheadMax.records))
  let open: LogEntry[] = []
  let bodyBytes = 0
  let after = place.after
  const room = { records: wanted, bytes: Infinity }
  const close = (): void => {
    found.push({ entries: open, isFull: true })
    open = []
    bodyBytes = 0
    room.bytes = Math.min(room.bytes, aheadMax.bytes)
  }

  while (room.records > 0 && room.bytes > 0) {
    const asked = Math.min(room.records, sliceMax)
    const slice = await log.read(place.account, after, place.filter, asked)
    for (const entry of slice) {
      const bytes = Buffer.byteLength(entry.record) + ','.length
      if (open.length > 0 && '[]'.length + bodyBytes + bytes > bodyBytesMax) close()
      if (found.length === depth || (found.length > 0 && room.bytes <= 0)) return found
      open.push(entry)
      bodyBytes += bytes
      room.bytes -= bytes
      if (open.length === count) close()
    }
    after = slice.at(-1)?.position ?? after
    room.records -= slice.length
    if (slice.length < asked) break
  }
  return found.length > 0 || open.length === 0 ? found : [{ entries: open, isFull: false }]
}

/**
 * Reads planned batches again, as far as the log still holds them whole: after an incomplete one it
 * stops.
 */
export async function rereadBatches(
  log: Pick<LogReader, 'read'>,
  place: LogCursor,
  batches: readonly PlannedBatch[],
): Promise<readonly (readonly LogEntry[])[]> {
  const wanted = batches.reduce((sum, { count }) => sum + count, 0)
  const entries = await readEntries(log, place, wanted)
  const found: (readonly LogEntry[])[] = []
  let begin = 0
  for (const { count, end } of batches) {
    const own = entries.slice(begin, begin + count)
    if (own.length < count || own.at(-1)?.position !== end) return found
    found.push(own)
    begin += count
  }
  return found
}

async function readEntries(
  log: Pick<LogReader, 'read'>,
  { account, after, filter }: LogCursor,
  count: number,
): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = []
  while (entries.length < count) {
    const asked = Math.min(count - entries.length, sliceMax)
    const slice = await log.read(account, entries.at(-1)?.position ?? after, filter, asked)
    entries.push(...slice)
    if (slice.length < asked) break
  }
  return entries
}

/** The body of a request: records are JSON texts, and so is their array. */
export function bodyOf(records: readonly string[]): Uint8Array {
  return Buffer.from(`[${records.join(',')}]`)
}
