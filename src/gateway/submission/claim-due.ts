import type { Clock, Instant } from '../../core/ports/clock.ts'
import type { NewId } from '../../core/id.ts'
import type { Store, Transaction } from '../../core/ports/store.ts'
import type {
  Claimant,
  Submission,
  Submissions,
  WaitingQueue,
} from '../../core/ports/submissions.ts'
import { isCarrier } from '../../collections/carriers.ts'
import type { CarrierFlights } from './carrier-flights.ts'
import type { DueClock } from './due-clock.ts'
import { prepareSubmits, type Claim, type PendingSubmit } from './prepare-submits.ts'
import { readQueueName } from './queue-key.ts'
import { validityMs, type PartPricing } from './submit-decision.ts'
import { planClaims, queueText, weightOf, type ClaimPlan, type ClaimInputs } from './plan-claims.ts'
import type { Routing } from '../carriers/routing.ts'
import {
  type NamedBuckets,
  readShared,
  type SenderRates,
  type TokenBucket,
  writeShared,
} from '../rates.ts'

/** The dependencies of a claim. */
export interface ClaimDueOptions {
  readonly clock: Clock
  readonly dueClock: DueClock
  readonly newId: NewId
  readonly routing: Routing
  readonly flights: CarrierFlights
  readonly rates: SenderRates
  /** Returns the owner of a claim that begins now, and its end. */
  readonly claimant: () => Claimant
  readonly resubmit: boolean
  /** Counts parts again for the carrier of a message. Absent: their number stays. */
  readonly pricing?: PartPricing
  /** If several nodes share the store, they share the rates too. */
  readonly store: Pick<Store, 'isShared'>
  /** What waits in other shards. Absent: the store has one. */
  readonly elsewhere?: () => readonly WaitingQueue[]
}

/** The result of a claim. */
export interface ClaimResult {
  readonly ready: readonly PendingSubmit[]
  /** Submissions that were given up, because their messages stayed invisible. */
  readonly lost: readonly Submission[]
  /** True if due submissions wait for room at their carrier. */
  readonly isFull: boolean
  /** The time of the next claim; null if unknown. */
  readonly nextAt: Instant | null
  /** What still waits. */
  readonly waiting: readonly WaitingQueue[]
}

/** The most messages claimed in one transaction: it must not block the event loop for more than some 20 ms. */
const batchMax = 500

/** The time after which emptied queues are looked at again: they may hold submissions that are due later. */
const emptiedMs = 50

/** The interval of looking whether a carrier is back. */
const lookMs = 500

/** The least time for which a rate accumulates, so that one claim takes several messages. */
const restMs = 20

/** Claims due submissions for which their carriers have room, and prepares them. */
export async function claimDue(
  transaction: Transaction,
  options: ClaimDueOptions,
): Promise<ClaimResult> {
  const { clock, dueClock, newId, claimant, resubmit, routing, pricing } = options
  const { submissions } = transaction
  const queues = await submissions.waiting(clock.now())
  await dueClock.share(transaction, () => queues.some(({ dueAt }) => dueAt <= dueClock.now()))
  const now = dueClock.now()
  const { owner, until } = claimant()
  const inputs = await claimInputsOf(transaction, queues, options)
  const rates = options.store.isShared ? sharedBuckets(queues, options, now) : new Map()
  await readShared(transaction, rates, now)
  const elsewhere = options.elsewhere?.() ?? []
  const plan = planClaims(queues, inputs, { now, limit: batchMax, lateMs: validityMs, elsewhere })

  const { claims, isMore } = await makeClaims(submissions, plan, {
    now: clock.now(),
    owner,
    until,
    inputs,
  })

  const times = { now: clock.now(), dueNow: now }
  const given = { ...times, newId, resubmit, pricing, routeOf: routing.routeOf }
  const { ready, lost } = await prepareSubmits(transaction, claims, given)
  spend(ready, options)
  if (ready.length > 0) await writeShared(transaction, rates, now)
  const areEmptied = claims.length > 0 && !isMore
  return {
    ready,
    lost,
    isFull: plan.isFull,
    nextAt: isMore ? now : areEmptied ? now + emptiedMs : nextAt(queues, plan, options, now),
    waiting: areEmptied ? [] : queues,
  }
}

interface ClaimTimes extends Claimant {
  readonly now: Instant
  readonly inputs: ClaimInputs
}

/** Makes the claims of a plan; `isMore` is true if more may be due. */
async function makeClaims(
  submissions: Submissions,
  plan: ClaimPlan,
  { now, owner, until, inputs }: ClaimTimes,
): Promise<{ readonly claims: readonly Claim[]; readonly isMore: boolean }> {
  const claims: Claim[] = []
  let isMore = false
  for (const { queue, limit, purpose, dueBy, name } of plan.claims) {
    const claimed = await submissions.claim(dueBy, until, limit, queue, owner)
    claims.push(...claimed.map((submission) => ({ submission, purpose })))
    isMore ||= claimed.length === limit || (plan.isFull && claimed.length > 0)
    if (purpose === 'SUBMIT') {
      const request = { key: queueText(queue), weight: weightOf(queue) }
      inputs.sharesOf(name.carrier ?? '').charge(request, claimed.length)
    }
  }
  if (plan.waits || plan.isFull) {
    // A validity ends by the wall clock.
    const late = await submissions.claim(now, until, batchMax, 'LATE', owner)
    claims.push(...late.map((submission): Claim => ({ submission, purpose: 'MOVE' })))
  }
  return { claims, isMore }
}

/** Reads all that planning needs from the store, so that planning itself is pure. */
async function claimInputsOf(
  transaction: Transaction,
  queues: readonly WaitingQueue[],
  { routing, flights, rates }: ClaimDueOptions,
): Promise<ClaimInputs> {
  const senders = new Set<string>()
  const deleted = new Set<string>()
  for (const { lane } of queues) {
    const { carrier, pinned, sender } = readQueueName(lane)
    if (sender !== null) senders.add(sender)
    if (carrier === null || !pinned || routing.availabilityOf(carrier) !== 'ABSENT') continue
    if (!(await isCarrier(transaction, carrier))) deleted.add(carrier)
  }
  await rates.refresh(transaction, senders)
  return {
    availabilityOf: routing.availabilityOf,
    hasOther: routing.hasOther,
    isDeleted: (carrier) => deleted.has(carrier),
    roomOf: (carrier) => flights.of(carrier).room(),
    allowanceOf: (sender) => rates.bucketOf(sender)?.available() ?? null,
    sharesOf: (carrier) => flights.of(carrier).shares,
  }
}

/** Returns the buckets of the rates that due submissions need, by their names in the store. */
function sharedBuckets(
  queues: readonly WaitingQueue[],
  { flights, rates }: ClaimDueOptions,
  now: Instant,
): NamedBuckets {
  const named = new Map<string, TokenBucket>()
  for (const { lane, dueAt } of queues) {
    if (dueAt > now) continue
    const { carrier, sender } = readQueueName(lane)
    const ofCarrier = carrier === null ? null : flights.of(carrier).bucket()
    if (ofCarrier !== null) named.set(`carrier ${carrier}`, ofCarrier)
    const ofSender = sender === null ? null : rates.bucketOf(sender)
    if (ofSender !== null) named.set(`sender ${sender}`, ofSender)
  }
  return named
}

/** Takes the parts of messages from their rates. Only now the number of parts is known. */
function spend(ready: readonly PendingSubmit[], { flights, rates }: ClaimDueOptions): void {
  for (const { kept } of ready) {
    const { carrier, from, numberOfParts } = kept.message
    flights.of(carrier ?? '').spend(numberOfParts)
    if (from !== '') rates.bucketOf(from)?.take(numberOfParts)
  }
}

/** Returns when the next submission is due, a carrier may be back, or a rate has accumulated. */
function nextAt(
  queues: readonly WaitingQueue[],
  { waits, isFull }: ClaimPlan,
  { flights, rates, elsewhere }: ClaimDueOptions,
  now: Instant,
): Instant | null {
  const times = queues.map(({ dueAt }) => dueAt).filter((dueAt) => dueAt > now)
  const hasRivals = isFull && elsewhere !== undefined && elsewhere().length > 0
  // Room that another shard does not take in time is free.
  if (waits || hasRivals) times.push(now + lookMs)
  if (isFull) {
    for (const { lane, dueAt } of queues) {
      const { carrier, sender } = readQueueName(lane)
      const bucket = sender === null ? null : rates.bucketOf(sender)
      const waitMs = Math.max(flights.of(carrier ?? '').waitMs(), bucket?.waitMs() ?? 0)
      if (dueAt <= now && waitMs > 0) times.push(now + Math.max(Math.ceil(waitMs), restMs))
    }
  }
  return times.length === 0 ? null : Math.min(...times)
}
