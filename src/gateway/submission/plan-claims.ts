import type { Instant } from '../../core/ports/clock.ts'
import type { QueueKey, WaitingQueue } from '../../core/ports/submissions.ts'
import type { FairShares } from '../rates/fair-shares.ts'
import type { ClaimPurpose } from './due.ts'
import { readLane, type QueueName } from './queue-name.ts'
import type { CarrierAvailability } from '../carriers/routing.ts'

/** What is known of the ways when claims are planned. */
export interface ClaimInputs {
  standingOf(carrier: string): CarrierAvailability
  /** Whether another carrier than this one could take over. */
  hasOther(carrier: string | null): boolean
  /** Whether a carrier that is not open is no more at all. */
  isGone(carrier: string): boolean
  /** How many messages a carrier takes now; what it takes a second included. */
  roomOf(carrier: string): number
  /** How many parts a sender may send now; null where it has no rate of its own. */
  allowanceOf(sender: string): number | null
  sharesOf(carrier: string): FairShares
}

/** A claim to be made. */
export interface PlannedClaim {
  readonly place: QueueKey
  readonly lane: QueueName
  readonly aim: ClaimPurpose
  readonly limit: number
  /** What was due by then is claimed. */
  readonly dueBy: Instant
}

/** What to claim. */
export interface ClaimPlan {
  readonly claims: readonly PlannedClaim[]
  /** Something that is due waits for a carrier to come back. */
  readonly waits: boolean
  /** Something that is due waits for room or for the time that a rate leaves. */
  readonly held: boolean
}

/** How often a priority comes before the one below it. None has to wait for ever. */
const weights: Readonly<Record<number, number>> = { 0: 1, 1: 2, 2: 4, 3: 8 }

/** A place with its lane. */
interface Due {
  readonly place: WaitingQueue
  readonly lane: QueueName
}

/**
 * Decides what to claim of what is due: each carrier gets of its places as much as it takes, shared out
 * by priority. What a lost carrier leaves is claimed to be moved, where another one could take it.
 */
export function planClaims(
  places: readonly WaitingQueue[],
  ways: ClaimInputs,
  {
    now,
    limit,
    lateMs,
  }: { readonly now: Instant; readonly limit: number; readonly lateMs: number },
): ClaimPlan {
  const due = places
    .filter(({ dueAt }) => dueAt <= now)
    .map((place) => ({ place, lane: readLane(place.lane) }))
  const ready = due.filter(({ lane }) => isReady(lane, ways))
  const byCarrier = Map.groupBy(ready, ({ lane }) => lane.carrier ?? '')
  const each = Math.max(1, Math.ceil(limit / Math.max(byCarrier.size, 1)))
  const handed = [...byCarrier].flatMap(([carrier, of]) => forCarrier(carrier, of, ways, now, each))
  const others = due.filter(({ lane }) => !isReady(lane, ways))
  const moved = others.map(({ place, lane }): PlannedClaim => {
    const aim = isGone(lane, ways) ? 'GIVE_UP' : 'MOVE'
    // What can go nowhere is looked at when it is late at the latest.
    const dueBy = aim === 'GIVE_UP' || isMoved(lane, ways) ? now : now - lateMs
    return { place, lane, aim, limit, dueBy }
  })
  return {
    claims: [...handed.filter((claim) => claim.limit > 0), ...moved],
    waits: others.length > 0,
    held: handed.some((claim) => claim.limit === 0),
  }
}

function isReady({ carrier }: QueueName, ways: ClaimInputs): boolean {
  return carrier !== null && ways.standingOf(carrier) === 'READY'
}

function isMoved({ carrier, pinned }: QueueName, ways: ClaimInputs): boolean {
  if (pinned || !ways.hasOther(carrier)) return false
  return carrier === null || ['LOST', 'ABSENT'].includes(ways.standingOf(carrier))
}

function isGone({ carrier, pinned }: QueueName, ways: ClaimInputs): boolean {
  return pinned && carrier !== null && ways.isGone(carrier)
}

function forCarrier(
  carrier: string,
  due: readonly Due[],
  ways: ClaimInputs,
  now: Instant,
  limit: number,
): readonly PlannedClaim[] {
  const wanting = due.map(({ place, lane }) => ({
    key: shareKey(place),
    weight: weightOf(place),
    max: lane.sender === null ? Infinity : (ways.allowanceOf(lane.sender) ?? Infinity),
  }))
  const room = Math.max(0, Math.min(limit, ways.roomOf(carrier)))
  const shares = ways.sharesOf(carrier).allot(wanting, room)
  return due.map(({ place, lane }): PlannedClaim => {
    const share = shares.get(shareKey(place)) ?? 0
    return { place, lane, aim: 'HAND_OVER', limit: share, dueBy: now }
  })
}

/** A place under which it is known to the shares of its carrier. */
export function shareKey({ lane, priority }: QueueKey): string {
  return `${priority} ${lane}`
}

/** What a place counts for in the shares of its carrier. */
export function weightOf({ priority }: QueueKey): number {
  return weights[priority] ?? 1
}
