import type { Clock, Instant } from '../../core/ports/clock.ts'
import type { Random } from '../../core/ports/random.ts'
import { simulatorId } from '../../collections/carriers.ts'
import type { Carriers, OpenCarrier } from './carriers.ts'
import { chooseRoute } from './choose-route.ts'

/** Which way messages go, as the carriers are just now. */
export interface Routing {
  /** The carrier for a recipient; null where none serves it. */
  routeOf(recipient: string): string | null
  /** How a carrier stands; ABSENT where it is not open here. */
  standingOf(carrier: string): CarrierAvailability
  /** Whether another carrier than this one could take over; null stands for what has no carrier yet. */
  hasOther(carrier: string | null): boolean
}

/** READY: takes messages. WAITING: will do so soon. LOST: has been down for too long. */
export type CarrierAvailability = 'READY' | 'WAITING' | 'LOST' | 'ABSENT'

/** What routing needs. */
export interface RoutingOptions {
  readonly carriers: Carriers
  readonly clock: Clock
  readonly random: Random
}

/** Makes what finds the way for messages. */
export function routing({ carriers, clock, random }: RoutingOptions): Routing {
  /** Since when a carrier was not seen BOUND: attempts to connect do not begin its time anew. */
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
      // What is drawn is drawn only where there is a choice, so that tests need not count draws.
      const fraction = candidates.length > 1 ? random.fraction() : 0
      const chosen = chooseRoute(recipient, candidates, fraction)
      return chosen ?? (open.some(({ id }) => id === simulatorId) ? simulatorId : null)
    },
    standingOf(id) {
      const found = carriers.open().find((carrier) => carrier.id === id)
      if (found === undefined) return 'ABSENT'
      const stands = standing(found)
      // Those nodes hand over what waits for it that have it open.
      return stands === 'READY' && found.isElsewhere?.() === true ? 'WAITING' : stands
    },
    hasOther: (id) =>
      carriers.open().some((each) => {
        const serves = each.routes.length > 0 || (id === null && each.id === simulatorId)
        return each.id !== id && serves && hasTurn(each)
      }),
  }
}
