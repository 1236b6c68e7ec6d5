import type { Clock } from '../../core/ports/clock.ts'
import type { Carriers } from './carriers.ts'
import { fairShares, type FairShares } from '../rates/fair-shares.ts'
import { inFlight, type InFlight } from '../submission/in-flight.ts'
import { tokenBucket, type TokenBucket } from '../rates/token-bucket.ts'

/** What is with a carrier, and what it still takes. */
export interface CarrierFlight {
  readonly flight: InFlight
  readonly shares: FairShares
  /** How many more messages it takes now. */
  room(): number
  /** Notes parts that are handed to it. */
  spend(parts: number): void
  /** What its rate leaves; null where it has none. */
  bucket(): TokenBucket | null
  /** How long until its rate leaves time for a part. */
  waitMs(): number
}

/** The flights of all carriers. */
export interface CarrierFlights {
  of(carrier: string): CarrierFlight
  /** Kept when nothing is with any carrier; what is after `graceMs` is given its signal. */
  end(graceMs: number): Promise<void>
}

/** What the flights need. */
export interface CarrierFlightsOptions {
  readonly carriers: Carriers
  readonly clock: Clock
  /** How long a carrier has for a message. */
  readonly deadlineMs: number
  /** Called when a message is with a carrier no more. */
  readonly onRoom: () => void
}

/** Makes the flights, one for each carrier: none waits for another. */
export function carrierFlights(options: CarrierFlightsOptions): CarrierFlights {
  const { carriers, clock } = options
  const flights = new Map<string, CarrierFlight>()

  const open = (carrier: string): CarrierFlight => {
    const limits = () => carriers.open().find(({ id }) => id === carrier)?.limits
    const flight = inFlight({ ...options, max: () => limits()?.inFlight ?? 0 })
    let rate: { readonly perSecond: number; readonly bucket: TokenBucket } | null = null
    const bucket = (): TokenBucket | null => {
      const perSecond = limits()?.partsPerSecond ?? null
      if (perSecond === null) return null
      if (rate?.perSecond !== perSecond) rate = { perSecond, bucket: tokenBucket(perSecond, clock) }
      return rate.bucket
    }
    return {
      flight,
      shares: fairShares(),
      bucket,
      room: () => Math.min(flight.room(), bucket()?.available() ?? Infinity),
      spend: (parts) => bucket()?.take(parts),
      waitMs: () => bucket()?.waitMs() ?? 0,
    }
  }

  return {
    of(carrier) {
      const flight = flights.get(carrier) ?? open(carrier)
      flights.set(carrier, flight)
      return flight
    },
    async end(graceMs) {
      await Promise.all([...flights.values()].map(({ flight }) => flight.end(graceMs)))
    },
  }
}
