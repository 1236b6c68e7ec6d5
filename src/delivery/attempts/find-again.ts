import type { AccountId } from '../../core/account.ts'
import type {
  LogEntry,
  LogReader,
  LogPosition,
  LogSearch,
  LogRange,
} from '../../core/ports/notification-log.ts'
import { bodyBytesMax } from './plan-next.ts'
import type { PlannedBatch, ReplayProgress } from '../progress/progress.ts'

/** Records can be long: they are looked for in slices, until the body is full. */
const sliceMax = 100

/** Result of a search, and its last examined position. */
export interface FoundAgain {
  readonly entries: readonly LogEntry[]
  /** There is no other up to here. */
  readonly position: LogPosition
}

/** Selection of a replay and its range of an account's log. */
export interface Search {
  readonly account: AccountId
  readonly replay: Pick<ReplayProgress, 'position' | 'end'>
  readonly sought: LogSearch
}

/**
 * Searches for the next batch of a replay: up to `count` entries that fit into one body. It returns
 * fewer, or none, when `isEnough` ends the search.
 */
export async function findAgain(
  log: LogReader,
  { account, replay, sought }: Search,
  count: number,
  isEnough: () => boolean,
): Promise<FoundAgain> {
  const entries: LogEntry[] = []
  let bodyBytes = '[]'.length
  let { position } = replay
  while (entries.length < count && position !== replay.end) {
    const stretch: LogRange = { account, after: position, end: replay.end }
    const slice = await log.search(stretch, sought, Math.min(count - entries.length, sliceMax))
    for (const entry of slice.entries) {
      bodyBytes += Buffer.byteLength(entry.record) + ','.length
      if (entries.length > 0 && bodyBytes > bodyBytesMax) return full(entries, replay.end)
      entries.push(entry)
    }
    position = slice.position
    if (isEnough()) break
  }
  return { entries, position: position ?? replay.end }
}

/** Reads a planned batch again; returns null if the log no longer holds it whole. */
export async function rereadAgain(
  log: LogReader,
  { account, replay, sought }: Search,
  batch: PlannedBatch,
): Promise<readonly LogEntry[] | null> {
  const stretch = { position: replay.position, end: batch.end }
  const search = { account, replay: stretch, sought }
  const { entries } = await findAgain(log, search, batch.count + 1, () => false)
  const isWhole = entries.length === batch.count && entries.at(-1)?.position === batch.end
  return isWhole ? entries : null
}

function full(entries: readonly LogEntry[], end: LogPosition): FoundAgain {
  return { entries, position: entries.at(-1)?.position ?? end }
}
