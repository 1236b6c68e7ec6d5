import { createHash } from 'node:crypto'
import { microsPerCredit } from '../../collections/credits/credit-amounts.ts'
import {
  type Resolution,
  type Statistic,
  statistics,
  statisticsProgress,
} from '../../collections/derived/statistics.ts'
import { sentStatuses } from '../../collections/messages.ts'
import type { AccountId } from '../../core/account.ts'
import { idOf } from '../../core/id.ts'
import { type Clock, type Instant, wait } from '../../core/ports/clock.ts'
import {
  type LogEntry,
  type LogPosition,
  type NewNotification,
  parsePosition,
} from '../../core/ports/notification-log.ts'
import type { Reader, Store, Writer } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'

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

/** The messages that entered a status within a period, by carrier. */
interface Tally {
  /** When the period began. */
  readonly date: Instant
  readonly resolution: Resolution
  readonly status: string
  readonly carrier: string | null
  readonly messages: number
  readonly parts: number
  /** Costs in millionths of a credit. */
  readonly micros: number
}

/** The length of each period, in milliseconds. */
const periodMs: Readonly<Record<Resolution, number>> = { MINUTE: 60_000, HOUR: 3_600_000 }

/** Counts entries of one account's log, by minute and by hour. */
function tally(entries: readonly NewNotification[]): readonly Tally[] {
  const minutes = new Map<string, Tally>()
  for (const entry of entries) add(minutes, counted(entry))
  const hours = new Map<string, Tally>()
  for (const minute of minutes.values()) {
    add(hours, { ...minute, resolution: 'HOUR', date: beginOf('HOUR', minute.date) })
  }
  return [...minutes.values(), ...hours.values()]
}

function counted({ at, status, record, carrier }: NewNotification): Tally {
  const { numberOfParts, creditCost }: Counted = JSON.parse(record)
  return {
    date: beginOf('MINUTE', at),
    resolution: 'MINUTE',
    status,
    carrier: carrier ?? null,
    messages: 1,
    parts: numberOfParts,
    micros: Math.round(creditCost * microsPerCredit),
  }
}

/** The counted fields of a notification record. */
interface Counted {
  readonly numberOfParts: number
  readonly creditCost: number
}

function add(sums: Map<string, Tally>, more: Tally): void {
  const key = `${more.date} ${more.status} ${more.carrier ?? ''}`
  const sum = sums.get(key)
  if (sum === undefined) {
    sums.set(key, more)
    return
  }
  const messages = sum.messages + more.messages
  const parts = sum.parts + more.parts
  sums.set(key, { ...sum, messages, parts, micros: sum.micros + more.micros })
}

function beginOf(resolution: Resolution, at: Instant): Instant {
  return at - (at % periodMs[resolution])
}
