import type { Clock, Instant } from '../../core/ports/clock.ts'
import { carrierFlights, type CarrierFlights } from '../carriers/carrier-flights.ts'
import type { PendingSubmit } from './due.ts'
import { submitter, type HandingOverOptions } from './submit-claimed.ts'
import type { InFlightTask } from './in-flight.ts'
import { outcomeQueue, type OutcomeQueueOptions } from './outcome-queue.ts'

/** The dependencies of the submits. */
export interface HandOversOptions
  extends HandingOverOptions, Omit<OutcomeQueueOptions, 'signal' | keyof HandingOverOptions> {
  /** The clock of due times. */
  readonly dueClock: Clock
  /** How long a carrier has for a message. */
  readonly deadlineMs: number
  /** Called when a message is no longer in flight. */
  readonly onRoom: () => void
  /** Called with the time at which a message that was not taken is due again. */
  readonly onPostponed: (dueAt: Instant) => void
}

/** Messages with their carriers, until their outcomes are stored. */
export interface HandOvers {
  readonly flights: CarrierFlights
  /** Submits messages for which there is room. */
  begin(ready: readonly PendingSubmit[]): void
  /** Stores that messages were not submitted and are due again. Never throws. */
  postpone(ready: readonly PendingSubmit[], dueAt: Instant): Promise<void>
  /** Resolves when no message is in flight. */
  stop(): Promise<void>
}

/** How long the carriers still have when it is stopped. */
const graceMs = 20_000

/** Creates what submits messages and stores the outcomes. */
export function handOvers(options: HandOversOptions): HandOvers {
  const { clock, dueClock, onPostponed } = options
  const giveUp = new AbortController()
  const outcomes = outcomeQueue({ ...options, signal: giveUp.signal })
  const handOver = submitter({ ...options, clock: dueClock })
  const flights = carrierFlights(options)

  const bring: InFlightTask<PendingSubmit> = async (ready, signal) => {
    const handedOver = await handOver(ready, signal)
    if (handedOver === null) return
    await outcomes.add(handedOver)
    if (handedOver.outcome.kind === 'POSTPONED') onPostponed(handedOver.outcome.dueAt)
  }

  return {
    flights,
    begin: (all) => {
      for (const [carrier, ready] of Map.groupBy(all, carrierOf)) {
        flights.of(carrier).flight.begin(ready, bring)
      }
    },
    postpone: async (all, dueAt) => {
      const outcome = { kind: 'POSTPONED', dueAt } as const
      await Promise.all(
        all.map((each) => outcomes.add({ handOver: each, carrier: carrierOf(each), outcome })),
      )
    },
    stop: async () => {
      const cancel = clock.after(graceMs, () => giveUp.abort())
      await flights.end(graceMs)
      cancel()
    },
  }
}

function carrierOf({ kept }: PendingSubmit): string {
  return kept.message.carrier ?? ''
}
