import { accountId } from '../../core/account.ts'
import type { Clock, Instant } from '../../core/ports/clock.ts'
import type { NewId } from '../../core/id.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Stored, Transaction, Writer } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import {
  broadcasts,
  type Broadcast,
  type BroadcastState,
  type HiddenBroadcast,
} from '../../collections/broadcasts.ts'
import type { BroadcastWork } from '../../collections/broadcast-work.ts'
import type { ContentDefaults } from '../messages/content.ts'
import { firstCursor, type RecipientCursor } from './recipient-page.ts'

/** The dependencies of work for broadcasts. */
export interface JobOptions {
  readonly clock: Clock
  readonly newId: NewId
  readonly defaults: ContentDefaults
}

/** The work on one broadcast in one transaction. */
export interface Job extends JobOptions {
  readonly broadcast: Broadcast
  readonly tally: string
  readonly correlation: string | null
  readonly place: RecipientCursor
  readonly transaction: Transaction
  readonly writer: Writer
  readonly now: Instant
}

/** Returns the broadcast of a work item; null if it was deleted. */
export async function jobOf(
  work: BroadcastWork,
  transaction: Transaction,
  options: JobOptions,
): Promise<Job | null> {
  const writer = transaction.in(accountId(work.account))
  const stored = await writer.find(broadcasts, { id: work.broadcast })
  if (stored === null) return null
  const broadcast = asBroadcast(stored)
  const now = options.clock.now()
  return { ...options, ...hiddenOf(stored), broadcast, transaction, writer, now }
}

/** Parses a stored broadcast. */
export function asBroadcast({ doc }: Pick<Stored, 'doc'>): Broadcast {
  return JSON.parse(doc) as Broadcast
}

/** Reads the hidden fields of a broadcast. */
export function hiddenOf({ hidden }: Pick<Stored, 'hidden'>): {
  readonly tally: string
  readonly correlation: string | null
  readonly place: RecipientCursor
} {
  const kept = hidden === null ? {} : (JSON.parse(hidden) as HiddenBroadcast)
  return {
    tally: kept.tally ?? '',
    correlation: kept.correlation ?? null,
    place: placeIn(kept.place),
  }
}

/** The fields of a broadcast that a slice changes. */
export type BroadcastProgress = Partial<
  Pick<Broadcast, 'state' | 'stateReason' | 'startedAt' | 'endedAt' | 'recipients' | 'creditCost'>
> & { readonly place?: RecipientCursor }

/** Saves the progress of a broadcast. */
export async function saveProgress(
  job: Job,
  { place, ...changed }: BroadcastProgress,
): Promise<void> {
  const { broadcast, tally, correlation, writer, now } = job
  const updatedAt = timestamp(now) > broadcast.updatedAt ? timestamp(now) : broadcast.updatedAt
  const instance = { ...broadcast, ...changed, updatedAt }
  const hidden = { tally, correlation, place: { ...(place ?? job.place) } }
  await writer.save(broadcasts, { id: broadcast.id }, instance, hidden)
}

/** Returns the change to a state that the service itself sets, with its reason. */
export function stopped(
  state: BroadcastState,
  stateReason: Broadcast['stateReason'],
  now: Instant,
): BroadcastProgress {
  const endedAt = state === 'DONE' ? { endedAt: timestamp(now) } : {}
  return { state, stateReason, ...endedAt }
}

function placeIn(place: JsonObject | undefined): RecipientCursor {
  return { ...firstCursor, ...place }
}
