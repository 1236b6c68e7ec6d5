import type { Clock } from '../../core/ports/clock.ts'
import type { Carriers } from '../carriers/carriers.ts'
import { fairShares, type FairShares, tokenBucket, type TokenBucket } from '../rates.ts'

/** The messages in flight with a carrier, and its remaining capacity. */
export interface CarrierFlight {
  readonly flight: InFlight
  readonly shares: FairShares
  /** Returns how many more messages it takes now. */
  room(): number
  /** Takes parts from its rate. */
  spend(parts: number): void
  /** Returns the bucket of its rate; null if it has none. */
  bucket(): TokenBucket | null
  /** Returns the time until its rate allows a part. */
  waitMs(): number
}

/** The messages in flight with all carriers. */
export interface CarrierFlights {
  of(carrier: string): CarrierFlight
  /** Resolves when no message is in flight. Aborts those left after `graceMs`. */
  end(graceMs: number): Promise<void>
}

/** The dependencies of carrier flights. */
export interface CarrierFlightsOptions {
  readonly carriers: Carriers
  readonly clock: Clock
  /** The deadline of a message at its carrier. */
  readonly deadlineMs: number
  /** Called when a message is no longer in flight. */
  readonly onRoom: () => void
}

/** Creates the flights. Carriers do not wait for each other. */
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

/** A bounded number of tasks in flight. Those begun together share one deadline. */
export interface InFlight {
  /** Returns how many more tasks may begin. */
  room(): number
  /** Begins a task for each item. A task ends soon after its signal is aborted, and never throws. */
  begin<T>(items: readonly T[], task: InFlightTask<T>): void
  /** Resolves when every task has ended. Aborts those that still run after `graceMs`. */
  end(graceMs: number): Promise<void>
}

/** The work on one item. */
export type InFlightTask<T> = (item: T, signal: AbortSignal) => Promise<void>

/** The limits of the tasks in flight. */
export interface InFlightOptions {
  readonly clock: Clock
  /** Returns the maximum of concurrent tasks. */
  readonly max: () => number
  /** The time after which the signal of a task is aborted. */
  readonly deadlineMs: number
  /** Called when a task has ended. */
  readonly onRoom: () => void
}

/** Counts and bounds the tasks in flight. */
export function inFlight({ clock, max, deadlineMs, onRoom }: InFlightOptions): InFlight {
  const batches = new Map<AbortController, Promise<unknown>>()
  let tasks = 0
  const run = async <T>(item: T, task: InFlightTask<T>, signal: AbortSignal): Promise<void> => {
    await task(item, signal)
    tasks -= 1
    onRoom()
  }

  return {
    room: () => max() - tasks,

    begin(items, task) {
      tasks += items.length
      const deadline = new AbortController()
      const cancel = clock.after(deadlineMs, () => deadline.abort())
      const all = items.map((item) => run(item, task, deadline.signal))
      const batch = Promise.all(all).finally(() => {
        cancel()
        batches.delete(deadline)
      })
      batches.set(deadline, batch)
    },

    async end(graceMs) {
      const cancel = clock.after(graceMs, () => {
        for (const deadline of batches.keys()) deadline.abort()
      })
      await Promise.all(batches.values())
      cancel()
    },
  }
}
