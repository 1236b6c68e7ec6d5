import type { Clock, Instant } from '../../core/ports/clock.ts'
import type { NewId } from '../../core/id.ts'
import type { Store, Transaction } from '../../core/ports/store.ts'
import type { Claimant, QueueKey, WaitingQueue } from '../../core/ports/submissions.ts'
import { isCarrier, simulatorId } from '../../collections/carriers.ts'
import type { Message } from '../../collections/messages.ts'
import type { CarrierFlights } from '../carriers/carrier-flights.ts'
import { returns } from '../credits/credits.ts'
import type { DueTime } from './due-time.ts'
import { takeDue, validityMs, type Claim, type PendingSubmit, type FailoverTarget } from './due.ts'
import { laneText, readLane } from './queue-name.ts'
import { planClaims, shareKey, weightOf, type ClaimPlan, type ClaimInputs } from './plan-claims.ts'
import type { Routing } from '../carriers/routing.ts'
import { readShared, writeShared, type NamedBuckets } from '../rates/shared-rates.ts'
import type { TokenBucket } from '../rates/token-bucket.ts'
import type { SenderRates } from '../rates/sender-rates.ts'

/** What claiming goes by. */
export interface ClaimDueOptions {
  readonly clock: Clock
  /** What is due goes by it: never back, whatever the wall clock does. */
  readonly due: DueTime
  readonly newId: NewId
  readonly routing: Routing
  readonly flights: CarrierFlights
  readonly rates: SenderRates
  /** Who claims from now on. */
  readonly claimant: () => Claimant
  readonly resubmit: boolean
  /** Where several nodes have it, rates are shared. */
  readonly store: Pick<Store, 'isShared'>
}

/** What was claimed. */
export interface Claimed {
  readonly ready: readonly PendingSubmit[]
  /** Something waits for room at its carrier. */
  readonly held: boolean
  /** When there is more to do, or null where that is not known. */
  readonly nextAt: Instant | null
}

/** The most messages claimed in one transaction: it must not block the event loop for more than some 20 ms. */
const batchMax = 500

/** How soon it is looked again whether a carrier is back. */
const lookMs = 500

/** How long a rate is let run at least, so that what it leaves is claimed together. */
const restMs = 20

/** Claims what is due and can go, and makes it ready. */
export async function claimDue(
  transaction: Transaction,
  options: ClaimDueOptions,
): Promise<Claimed> {
  const { clock, due, newId, claimant, resubmit, routing } = options
  const { submissions } = transaction
  const places = await submissions.waiting()
  await due.share(transaction, () => places.some(({ dueAt }) => dueAt <= due.clock.now()))
  const now = due.clock.now()
  const { owner, until } = claimant()
  const ways = await waysOf(transaction, places, options)
  const rates = options.store.isShared ? ratesOf(places, options, now) : new Map()
  await readShared(transaction, rates, now)
  const plan = planClaims(places, ways, { now, limit: batchMax, lateMs: validityMs })

  const claims: Claim[] = []
  let more = false
  for (const { place, limit, aim, dueBy, lane } of plan.claims) {
    const claimed = await submissions.claim(dueBy, until, limit, place, owner)
    claims.push(...claimed.map((submission) => ({ submission, aim })))
    more ||= claimed.length === limit || (plan.held && claimed.length > 0)
    if (aim === 'HAND_OVER') {
      const wanting = { key: shareKey(place), weight: weightOf(place) }
      ways.sharesOf(lane.carrier ?? '').charge(wanting, claimed.length)
    }
  }
  if (plan.waits || plan.held) {
    // A validity ends by the wall clock.
    const late = await submissions.claimLate(clock.now(), until, batchMax, owner)
    claims.push(...late.map((submission): Claim => ({ submission, aim: 'MOVE' })))
  }

  const wayFor = (message: Message, place: QueueKey): FailoverTarget | null =>
    anotherWay(message, place, routing)
  const times = { now: clock.now(), dueNow: now }
  const given = { ...times, resubmit, wayFor, returns: returns(transaction, newId) }
  const ready = await takeDue(transaction, claims, given)
  spend(ready, options)
  if (ready.length > 0) await writeShared(transaction, rates, now)
  // Behind what was claimed of a place there may be more that is due later.
  const left = claims.length > 0 && !more ? await submissions.waiting() : places
  return { ready, held: plan.held, nextAt: more ? now : nextAt(left, plan, options, now) }
}

/** What is asked of the ways is looked up before: planning itself asks nobody. */
async function waysOf(
  transaction: Transaction,
  places: readonly WaitingQueue[],
  { routing, flights, rates }: ClaimDueOptions,
): Promise<ClaimInputs> {
  const senders = new Set<string>()
  const gone = new Set<string>()
  for (const { lane } of places) {
    const { carrier, pinned, sender } = readLane(lane)
    if (sender !== null) senders.add(sender)
    if (carrier === null || !pinned || routing.standingOf(carrier) !== 'ABSENT') continue
    if (!(await isCarrier(transaction, carrier))) gone.add(carrier)
  }
  await rates.refresh(transaction, senders)
  return {
    standingOf: routing.standingOf,
    hasOther: routing.hasOther,
    isGone: (carrier) => gone.has(carrier),
    roomOf: (carrier) => flights.of(carrier).room(),
    allowanceOf: (sender) => rates.bucketOf(sender)?.available() ?? null,
    sharesOf: (carrier) => flights.of(carrier).shares,
  }
}

/** The rates of what is due. */
function ratesOf(
  places: readonly WaitingQueue[],
  { flights, rates }: ClaimDueOptions,
  now: Instant,
): NamedBuckets {
  const named = new Map<string, TokenBucket>()
  for (const { lane, dueAt } of places) {
    if (dueAt > now) continue
    const { carrier, sender } = readLane(lane)
    const ofCarrier = carrier === null ? null : flights.of(carrier).bucket()
    if (ofCarrier !== null) named.set(`carrier ${carrier}`, ofCarrier)
    const ofSender = sender === null ? null : rates.bucketOf(sender)
    if (ofSender !== null) named.set(`sender ${sender}`, ofSender)
  }
  return named
}

/** What has a carrier never goes to the simulator instead: nothing would be delivered. */
function anotherWay(
  { to, carrier }: Message,
  place: QueueKey,
  routing: Routing,
): FailoverTarget | null {
  const lane = readLane(place.lane)
  if (lane.pinned) return null
  // What an earlier version has accepted has a carrier, and waits in a lane that has none.
  const other = (lane.carrier === null ? carrier : null) ?? routing.routeOf(to)
  if (other === null || other === lane.carrier) return null
  if (other === simulatorId && lane.carrier !== null) return null
  return { carrier: other, place: { ...place, lane: laneText({ ...lane, carrier: other }) } }
}

/** Rates are of parts, and how many those are is known only now. */
function spend(ready: readonly PendingSubmit[], { flights, rates }: ClaimDueOptions): void {
  for (const { kept } of ready) {
    const { carrier, from, numberOfParts } = kept.message
    flights.of(carrier ?? '').spend(numberOfParts)
    if (from !== null) rates.bucketOf(from)?.take(numberOfParts)
  }
}

function nextAt(
  places: readonly WaitingQueue[],
  { waits, held }: ClaimPlan,
  { flights, rates }: ClaimDueOptions,
  now: Instant,
): Instant | null {
  const times = places.map(({ dueAt }) => dueAt).filter((dueAt) => dueAt > now)
  if (waits) times.push(now + lookMs)
  if (held) {
    for (const { lane, dueAt } of places) {
      const { carrier, sender } = readLane(lane)
      const bucket = sender === null ? null : rates.bucketOf(sender)
      const waitMs = Math.max(flights.of(carrier ?? '').waitMs(), bucket?.waitMs() ?? 0)
      if (dueAt <= now && waitMs > 0) times.push(now + Math.max(Math.ceil(waitMs), restMs))
    }
  }
  return times.length === 0 ? null : Math.min(...times)
}
