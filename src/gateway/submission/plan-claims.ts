import type { Instant } from '../../core/ports/clock.ts'
import type { QueueKey, WaitingQueue } from '../../core/ports/submissions.ts'
import type { FairShares } from '../rates.ts'
import type { ClaimPurpose } from './prepare-submits.ts'
import { readQueueName, type QueueName } from './queue-key.ts'
import type { CarrierAvailability } from '../carriers/routing.ts'

/** The inputs of a plan: carriers, rooms and rates as they are now. */
export interface ClaimInputs {
  availabilityOf(carrier: string): CarrierAvailability
  /** Returns whether a carrier other than this one could take over. */
  hasOther(carrier: string | null): boolean
  /** Returns whether a carrier that is not open was deleted. */
  isDeleted(carrier: string): boolean
  /** Returns how many messages a carrier takes now, by its window and its rate. */
  roomOf(carrier: string): number
  /** Returns how many parts a sender may send now; null if it has no rate. */
  allowanceOf(sender: string): number | null
  sharesOf(carrier: string): FairShares
}

/** A claim to make. */
export interface PlannedClaim {
  readonly queue: QueueKey
  readonly name: QueueName
  readonly purpose: ClaimPurpose
  readonly limit: number
  /** Only submissions that were due by then are claimed. */
  readonly dueBy: Instant
}

/** The claims to make, and why others wait. */
export interface ClaimPlan {
  readonly claims: readonly PlannedClaim[]
  /** True if due submissions wait for a carrier to come back. */
  readonly waits: boolean
  /** True if due submissions wait for room or for a rate. */
  readonly isFull: boolean
}

/** The weight of each priority: none starves. */
const weights: Readonly<Record<number, number>> = { 0: 1, 1: 2, 2: 4, 3: 8 }

interface DueQueue {
  readonly queue: WaitingQueue
  readonly name: QueueName
}

/** The frame of a plan. */
export interface PlanFrame {
  readonly now: Instant
  readonly limit: number
  readonly lateMs: number
  /** Queues of other shards: they compete for the carriers' room, but are claimed by their own plans. */
  readonly elsewhere: readonly WaitingQueue[]
}

/**
 * Plans the claims. Each carrier gets as many submissions as it takes, shared among its queues by
 * priority. Submissions of a lost carrier are claimed to be moved, if another one could take them.
 */
export function planClaims(
  queues: readonly WaitingQueue[],
  inputs: ClaimInputs,
  { now, limit, lateMs, elsewhere }: PlanFrame,
): ClaimPlan {
  const due = dueOf(queues, now)
  const ready = due.filter(({ name }) => isReady(name, inputs))
  const byCarrier = Map.groupBy(ready, ({ name }) => name.carrier ?? '')
  const each = Math.max(1, Math.ceil(limit / Math.max(byCarrier.size, 1)))
  const rivals = Map.groupBy(dueOf(elsewhere, now), ({ name }) => name.carrier ?? '')
  const submits = [...byCarrier].flatMap(([carrier, own]) =>
    forCarrier(carrier, { own, rivals: rivals.get(carrier) ?? [] }, inputs, now, each),
  )
  const others = due.filter(({ name }) => !isReady(name, inputs))
  const moves = others.map(({ queue, name }): PlannedClaim => {
    const purpose = isDeleted(name, inputs) ? 'GIVE_UP' : 'MOVE'
    // A submission that can go nowhere is claimed when it is late at the latest.
    const dueBy = purpose === 'GIVE_UP' || canMove(name, inputs) ? now : now - lateMs
    return { queue, name, purpose, limit, dueBy }
  })
  return {
    claims: [...submits.filter((claim) => claim.limit > 0), ...moves],
    waits: others.length > 0,
    isFull: submits.some((claim) => claim.limit === 0),
  }
}

function dueOf(queues: readonly WaitingQueue[], now: Instant): readonly DueQueue[] {
  return queues
    .filter(({ dueAt }) => dueAt <= now)
    .map((queue) => ({ queue, name: readQueueName(queue.lane) }))
}

function isReady({ carrier }: QueueName, inputs: ClaimInputs): boolean {
  return carrier !== null && inputs.availabilityOf(carrier) === 'READY'
}

function canMove({ carrier, pinned }: QueueName, inputs: ClaimInputs): boolean {
  if (pinned || !inputs.hasOther(carrier)) return false
  return carrier === null || ['LOST', 'ABSENT'].includes(inputs.availabilityOf(carrier))
}

function isDeleted({ carrier, pinned }: QueueName, inputs: ClaimInputs): boolean {
  return pinned && carrier !== null && inputs.isDeleted(carrier)
}

function forCarrier(
  carrier: string,
  { own, rivals }: { readonly own: readonly DueQueue[]; readonly rivals: readonly DueQueue[] },
  inputs: ClaimInputs,
  now: Instant,
  limit: number,
): readonly PlannedClaim[] {
  // A queue of several shards has one share. Equal claims come in one order in every shard, or each would leave
  // the last place to the other.
  const wanting = new Map([...rivals, ...own].map((each) => [queueText(each.queue), each]))
  const ordered = [...wanting].toSorted(([one], [other]) => (one < other ? 1 : -1))
  const requests = ordered.map(([key, { queue, name }]) => ({
    key,
    weight: weightOf(queue),
    max: name.sender === null ? Infinity : (inputs.allowanceOf(name.sender) ?? Infinity),
  }))
  const room = Math.max(0, Math.min(limit, inputs.roomOf(carrier)))
  const shares = inputs.sharesOf(carrier).allot(requests, room)
  return own.map(({ queue, name }): PlannedClaim => {
    const share = shares.get(queueText(queue)) ?? 0
    return { queue, name, purpose: 'SUBMIT', limit: share, dueBy: now }
  })
}

/** Returns the key of a queue among the shares of its carrier. */
export function queueText({ lane, priority }: QueueKey): string {
  return `${priority} ${lane}`
}

/** Returns the weight of a queue among the shares of its carrier. */
export function weightOf({ priority }: QueueKey): number {
  return weights[priority] ?? 1
}
