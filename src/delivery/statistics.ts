import { inMicros, microsPerCredit } from '../collections/credits/credit-movements.ts'
import { createHash } from 'node:crypto'
import {
  type Resolution,
  type Statistic,
  statistics,
  statisticsProgress,
} from '../collections/derived/statistics.ts'
import { sentStatuses } from '../collections/messages.ts'
import type { AccountId } from '../core/account.ts'
import { eachShard } from '../core/each-shard.ts'
import { idOf } from '../core/id.ts'
import { nodeLease } from '../core/node-lease.ts'
import { type Clock, type Instant, wait } from '../core/ports/clock.ts'
import { type LogPosition, type LogSum, parsePosition } from '../core/ports/notification-log.ts'
import type { Reader, Store, Writer } from '../core/ports/store.ts'
import type { Shard } from '../core/shard.ts'
import { timestamp } from '../core/timestamp.ts'
import { allAccounts } from './retention/all-accounts.ts'

/** Dependencies of the statistics worker. */
export interface StatisticsParts {
  readonly store: Store
  readonly clock: Clock
  /** The name of this node; null if it has the store alone. */
  readonly owner: string | null
  /** An account could not be counted; the next run retries. */
  readonly onFault: (error: unknown) => void
}

/** Interval of the runs: counts are at most five seconds late. */
const everyMs = 2000

/** Time for which a node that disappears keeps others from counting, in milliseconds. */
const leaseMs = 8000

/** Interval of looking at every account: notices of other nodes can get lost. */
const surveyMs = 60_000

/** Counts the messages of the log by status, on one node at a time, for each shard by itself. */
export function startStatistics(parts: StatisticsParts): AsyncDisposable {
  const each = eachShard(parts.store, parts.clock, (store, shard) =>
    startOnShard({ ...parts, store }, shard),
  )
  return {
    [Symbol.asyncDispose]: async () => {
      await Promise.all(each.end().map((worker) => worker[Symbol.asyncDispose]()))
    },
  }
}

function startOnShard(parts: StatisticsParts, shard: Shard): AsyncDisposable {
  const { store, clock, onFault } = parts
  const { signal, abort } = abortable()
  const lease = nodeLease(parts, `statistics ${shard}`, leaseMs)
  let grown = new Set<AccountId>()
  let surveyAt = -Infinity
  const note = (account: AccountId): void => {
    if (store.shardOf(account) === shard) grown.add(account)
  }
  const unsubscribe = store.onCommit(({ notified }) => notified.forEach(note))

  const count = async (account: AccountId): Promise<void> => {
    try {
      await countAccount(store, clock, account, signal)
    } catch (error) {
      grown.add(account)
      onFault(error)
    }
  }
  const work = async (): Promise<void> => {
    if (!(await lease.take())) {
      grown.clear()
      surveyAt = -Infinity
      return
    }
    if (clock.monotonic() >= surveyAt) {
      for await (const account of allAccounts(store)) note(account)
      surveyAt = store.isShared ? clock.monotonic() + surveyMs : Infinity
    }
    const due = grown
    grown = new Set()
    for (const account of due) await count(account)
  }
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await work().catch(onFault)
      await wait(clock, everyMs, signal)
    }
  }
  const running = run()

  return {
    [Symbol.asyncDispose]: async () => {
      unsubscribe()
      abort()
      await running
      await lease.release().catch(onFault)
    },
  }
}

function abortable(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

/** Every status that a message entered; alerts about webhooks are none. */
const filter = { types: ['SENT', 'RECEIVED'], statuses: sentStatuses }

/** Entries of one sum, for which other requests wait. */
const summedMax = 2000

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
  const limits = { limit: summedMax, periodMs: periodMs.MINUTE }
  while (!signal.aborted) {
    const after = await store.read(account, (reader) => countedTo(reader))
    const { sums, position } = await store.log.sum(account, after, filter, limits)
    if (position === null) return
    await store.transact(async (transaction) => {
      const writer = transaction.in(account)
      // Another node counted them, or the account was removed.
      if ((await countedTo(writer)) !== after) return
      for (const one of tallies(sums)) await addTally(writer, one, clock.now())
      await saveProgress(writer, position, clock.now())
    })
    const summed = sums.reduce((sum, { entries }) => sum + entries, 0)
    if (summed < summedMax) return
  }
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
  const { periodBegin: date, resolution, status, carrier, costMicros } = added
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
    messages: (before?.messages ?? 0) + added.entries,
    parts: (before?.parts ?? 0) + added.parts,
    credits: sumOf(before?.credits ?? 0, costMicros),
    account,
    createdAt: begin,
    updatedAt: timestamp(now),
  }
  await writer.save(statistics, { id }, sum, { expiresAt: date + keptMs[resolution] })
}

function sumOf(credits: number, micros: number): number {
  return (inMicros(credits) + micros) / microsPerCredit
}

/** Returns a digest that identifies a count within its period. */
function octetsOf(names: readonly (string | null)[]): Uint8Array {
  return createHash('sha256').update(JSON.stringify(names)).digest()
}

/** A sum over a minute or an hour. */
interface Tally extends LogSum {
  readonly resolution: Resolution
}

/** The length of each period, in milliseconds. */
const periodMs: Readonly<Record<Resolution, number>> = { MINUTE: 60_000, HOUR: 3_600_000 }

/** Returns the sums of minutes, and those of hours. */
function tallies(minutes: readonly LogSum[]): readonly Tally[] {
  const inHours = minutes.map((sum) => ({ ...sum, periodBegin: hourOf(sum.periodBegin) }))
  const hours = Map.groupBy(inHours, ({ periodBegin, status, carrier }) =>
    JSON.stringify([periodBegin, status, carrier]),
  )
  return [
    ...minutes.map((sum): Tally => ({ ...sum, resolution: 'MINUTE' })),
    ...[...hours.values()].map((sums): Tally => ({ ...total(sums), resolution: 'HOUR' })),
  ]
}

/** Adds up sums of one period, status and carrier. */
function total(sums: readonly LogSum[]): LogSum {
  return sums.reduce(({ periodBegin, status, carrier, ...a }, b) => {
    const entries = a.entries + b.entries
    const parts = a.parts + b.parts
    return { periodBegin, status, carrier, entries, parts, costMicros: a.costMicros + b.costMicros }
  })
}

function hourOf(at: Instant): Instant {
  return at - (at % periodMs.HOUR)
}
