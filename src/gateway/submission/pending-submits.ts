import type { Clock, Instant } from '../../core/ports/clock.ts'
import { carrierFlights, type CarrierFlights } from '../carriers/carrier-flights.ts'
import type { PendingSubmit } from './due.ts'
import { submitter, type HandingOverOptions } from './submit-claimed.ts'
import type { KnownOutcome } from './outcome.ts'
import type { InFlightTask } from './in-flight.ts'
import { type OutcomeQueue, outcomeQueue, type OutcomeQueueOptions } from './outcome-queue.ts'

/** What hand-overs need. */
export interface HandOversOptions
  extends HandingOverOptions, Omit<OutcomeQueueOptions, 'signal' | keyof HandingOverOptions> {
  /** What is due goes by it. */
  readonly dueClock: Clock
  /** How long a carrier has for a message. */
  readonly deadlineMs: number
  /** Called when a message is with a carrier no more. */
  readonly onRoom: () => void
  /** Called with the time at which a message that was not taken is due again. */
  readonly onPostponed: (dueAt: Instant) => void
}

/** Messages with their carriers, from when there is room for them until it is written what became of them. */
export interface HandOvers extends Pick<OutcomeQueue, 'join' | 'press'> {
  readonly flights: CarrierFlights
  /** Hands messages over for which room is held. */
  begin(ready: readonly PendingSubmit[]): void
  /** Writes what becomes of messages that are not handed over, and gives back their room. Never throws. */
  end(ready: readonly PendingSubmit[], outcome: KnownOutcome): Promise<void>
  /** Kept when nothing is with a carrier any more. */
  stop(): Promise<void>
}

/** How long the carriers still have when it is stopped. */
const graceMs = 20_000

/** Makes what hands messages over. */
export function handOvers(options: HandOversOptions): HandOvers {
  const { clock, dueClock, onPostponed } = options
  const giveUp = new AbortController()
  const outcomes = outcomeQueue({ ...options, signal: giveUp.signal })
  const handOver = submitter({ ...options, clock: dueClock })
  const flights = carrierFlights(options)

  const bring: InFlightTask<PendingSubmit> = async (ready, signal, leave) => {
    const handedOver = await handOver(ready, signal)
    if (handedOver === null) return
    // While that is written down the carrier takes others. What it did not take goes to it again.
    if (handedOver.outcome.kind === 'SUBMITTED') leave()
    await outcomes.add(handedOver)
    if (handedOver.outcome.kind === 'POSTPONED') onPostponed(handedOver.outcome.dueAt)
  }

  return {
    flights,
    join: outcomes.join,
    press: outcomes.press,
    begin: (all) => {
      for (const [carrier, ready] of Map.groupBy(all, carrierOf)) {
        flights.of(carrier).flight.begin(ready, bring)
      }
    },
    end: async (all, outcome) => {
      for (const each of all) flights.of(carrierOf(each)).flight.release()
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

/** The carrier of a message that is to be handed over. */
export function carrierOf({ kept }: PendingSubmit): string {
  return kept.message.carrier ?? ''
}
