import { standardScheme, type PartScheme } from '../../core/part-scheme.ts'
import type { Clock, Instant } from '../../core/ports/clock.ts'
import type { Random } from '../../core/ports/random.ts'
import { simulatorId, type CarrierRoute } from '../../collections/carriers.ts'
import type { Carriers, OpenCarrier } from './carriers.ts'

/** Carrier selection by current carrier states. */
export interface Routing {
  /** Returns the carrier for a recipient; null if none serves it. */
  routeOf(recipient: string): string | null
  /** Returns how the messages of a carrier become parts; the standard scheme for null. */
  schemeOf(carrier: string | null): PartScheme
  /** Returns a carrier's availability; ABSENT if it is not open here. */
  availabilityOf(carrier: string): CarrierAvailability
  /** Returns whether a carrier other than this one could take over; null: a message without carrier. */
  hasOther(carrier: string | null): boolean
}

/**
 * The availability of a carrier. READY: takes messages. WAITING: will soon. LOST: has been down for
 * too long.
 */
export type CarrierAvailability = 'READY' | 'WAITING' | 'LOST' | 'ABSENT'

/** The dependencies of routing. */
export interface RoutingOptions {
  readonly carriers: Carriers
  readonly clock: Clock
  readonly random: Random
}

/** Creates the routing. */
export function routing({ carriers, clock, random }: RoutingOptions): Routing {
  /** The times since which carriers are not BOUND. Attempts to connect do not reset them. */
  const awaySince = new Map<string, Instant>()

  const standing = (carrier: OpenCarrier): CarrierAvailability => {
    const { state, since } = carrier.condition()
    if (state === 'BOUND') {
      awaySince.delete(carrier.id)
      return 'READY'
    }
    const now = clock.now()
    const away = Math.min(awaySince.get(carrier.id) ?? now, since === 0 ? now : since)
    awaySince.set(carrier.id, away)
    return now - away > carrier.downLimitMs ? 'LOST' : 'WAITING'
  }
  const hasTurn = (carrier: OpenCarrier): boolean => standing(carrier) !== 'LOST'

  return {
    routeOf(recipient) {
      const open = carriers.open()
      const candidates = open
        .filter(({ routes }) => routes.length > 0)
        .map((carrier) => ({ id: carrier.id, routes: carrier.routes, hasTurn: hasTurn(carrier) }))
      // Draw only if there is a choice, so that tests need not count draws.
      const fraction = candidates.length > 1 ? random.fraction() : 0
      const chosen = chooseRoute(recipient, candidates, fraction)
      return chosen ?? (open.some(({ id }) => id === simulatorId) ? simulatorId : null)
    },
    schemeOf: (id) => carriers.open().find((each) => each.id === id)?.partScheme ?? standardScheme,
    availabilityOf(id) {
      const found = carriers.open().find((carrier) => carrier.id === id)
      if (found === undefined) return 'ABSENT'
      const stands = standing(found)
      // The nodes that have it open submit its messages.
      return stands === 'READY' && found.isElsewhere?.() === true ? 'WAITING' : stands
    },
    hasOther: (id) =>
      carriers.open().some((each) => {
        const serves = each.routes.length > 0 || (id === null && each.id === simulatorId)
        return each.id !== id && serves && hasTurn(each)
      }),
  }
}

/** A carrier as a candidate for a route. */
export interface Candidate {
  readonly id: string
  readonly routes: readonly CarrierRoute[]
  /** False if it has been down for too long. */
  readonly hasTurn: boolean
}

/**
 * Chooses the carrier for a recipient: of those available the longest matching prefix, then the
 * lowest priority, then one by weight. If none is available the message waits for the first choice.
 * Returns null if no route matches. `fraction` is from 0 up to 1.
 */
export function chooseRoute(
  recipient: string,
  candidates: readonly Candidate[],
  fraction: number,
): string | null {
  const matching = candidates.flatMap((candidate) => {
    const route = longestMatch(recipient, candidate.routes)
    return route === null ? [] : [{ ...candidate, route }]
  })
  if (matching.length < 2) return matching[0]?.id ?? null
  const up = matching.filter(({ hasTurn }) => hasTurn)
  const open = up.length > 0 ? up : matching
  const longest = Math.max(...open.map(({ route }) => route.prefix.length))
  const byPrefix = open.filter(({ route }) => route.prefix.length === longest)
  const first = Math.min(...byPrefix.map(({ route }) => route.priority))
  const best = byPrefix.filter(({ route }) => route.priority === first)

  let left = fraction * best.reduce((sum, { route }) => sum + route.weight, 0)
  for (const { id, route } of best) {
    left -= route.weight
    if (left < 0) return id
  }
  return best.at(-1)?.id ?? null
}

/** Returns the route with the longest prefix that matches a recipient; null if none does. */
export function longestMatch(
  recipient: string,
  routes: readonly CarrierRoute[],
): CarrierRoute | null {
  let found: CarrierRoute | null = null
  for (const route of routes) {
    if (!recipient.startsWith(route.prefix)) continue
    if (found === null || route.prefix.length > found.prefix.length) found = route
  }
  return found
}
