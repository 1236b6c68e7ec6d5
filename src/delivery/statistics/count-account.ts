import { createHash } from 'node:crypto'
import { sentStatuses } from '../../collections/messages.ts'
import {
  type Resolution,
  type Statistic,
  statistics,
  statisticsProgress,
} from '../../collections/derived/statistics.ts'
import type { AccountId } from '../../core/account.ts'
import { idOf } from '../../core/id.ts'
import { type Clock, type Instant, wait } from '../../core/ports/clock.ts'
import { microsPerCredit } from '../../collections/credits/credit-amounts.ts'
import {
  type LogEntry,
  type LogPosition,
  parsePosition,
} from '../../core/ports/notification-log.ts'
import type { Reader, Store, Writer } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import { type Tally, tally } from './tally.ts'

/** Every status that a message entered; alerts about webhooks are none. */
const filter = { types: ['SENT', 'RECEIVED'], statuses: sentStatuses }

/** Entries of one read, for which other requests wait; and of one transaction. */
const pageMax = 500
const countedMax = 5000

/** The pause between two reads, in milliseconds. */
const pauseMs = 2

/** Time for which counts are stored, in milliseconds. */
const dayMs = 24 * 3_600_000
const keptMs: Readonly<Record<Resolution, number>> = { MINUTE: 7 * dayMs, HOUR: 400 * dayMs }

/** Counts the entries of an account's log that are not counted yet. */
export async function countAccount(
  store: Store,
  clock: Clock,
  account: AccountId,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const after = await store.read(account, (reader) => countedTo(reader))
    const entries = await readOn(store, clock, account, after, signal)
    const last = entries.at(-1)
    if (last === undefined) return
    const tallies = tally(entries)
    await store.transact(async (transaction) => {
      const writer = transaction.in(account)
      // Another node counted them, or the account was removed.
      if ((await countedTo(writer)) !== after) return
      for (const one of tallies) await addTally(writer, one, clock.now())
      await saveProgress(writer, last.position, clock.now())
    })
    if (entries.length < countedMax) return
  }
}

/** Reads entries a page at a time, up to what one transaction counts. */
async function readOn(
  store: Store,
  clock: Clock,
  account: AccountId,
  after: LogPosition | null,
  signal: AbortSignal,
): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = []
  while (!signal.aborted && entries.length < countedMax) {
    const page = await store.log.read(account, entries.at(-1)?.position ?? after, filter, pageMax)
    entries.push(...page)
    if (page.length < pageMax) break
    await wait(clock, pauseMs, signal)
  }
  return entries
}

const progressId = 'progress'

async function countedTo(reader: Reader): Promise<LogPosition | null> {
  const stored = await reader.find(statisticsProgress, { id: progressId })
  if (stored === null) return null
  const { position }: { readonly position: string } = JSON.parse(stored.doc)
  return parsePosition(position)
}

async function saveProgress(writer: Writer, position: LogPosition, now: Instant): Promise<void> {
  const date = timestamp(now)
  const progress = { id: progressId, position, createdAt: date, updatedAt: date }
  await writer.save(statisticsProgress, { id: progressId }, progress, null)
}

async function addTally(writer: Writer, added: Tally, now: Instant): Promise<void> {
  const { date, resolution, status, carrier, micros } = added
  const { account } = writer
  const id = idOf(statistics.noun, date, octetsOf([account, resolution, status, carrier]))
  const stored = await writer.find(statistics, { id })
  const before: Statistic | null = stored === null ? null : JSON.parse(stored.doc)
  const begin = timestamp(date)
  const sum = {
    id,
    date: begin,
    resolution,
    status,
    carrier,
    messages: (before?.messages ?? 0) + added.messages,
    parts: (before?.parts ?? 0) + added.parts,
    credits: sumOf(before?.credits ?? 0, micros),
    account,
    createdAt: begin,
    updatedAt: timestamp(now),
  }
  await writer.save(statistics, { id }, sum, { expiresAt: date + keptMs[resolution] })
}

function sumOf(credits: number, micros: number): number {
  return (Math.round(credits * microsPerCredit) + micros) / microsPerCredit
}

/** Returns a digest that identifies a count within its period. */
function octetsOf(names: readonly (string | null)[]): Uint8Array {
  return createHash('sha256').update(JSON.stringify(names)).digest()
}
