import type { Claimant, QueueKey } from '../../core/ports/submissions.ts'
import type { PendingSubmit } from './due.ts'

/**
 * The way of a message before which nothing waits: it is claimed by the transaction that makes it, and
 * handed over as soon as that is durable. Who waits in a queue is written down, found and claimed again,
 * which takes a transaction of its own.
 */
export interface DirectWay {
  /** Lets a message that is being made go at once, in place of waiting here; null where it has to wait. */
  take(place: QueueKey): Ticket | null
}

/** The right of one message to go at once. */
export interface Ticket {
  /** Who has it, from the beginning. */
  readonly claimant: Claimant
  /** Must be called when the transaction has ended: with what is to be handed over, or null where there is nothing. */
  ended(handOver: PendingSubmit | null): void
}

/** A way that is made before there is anybody who hands over: closed until it is opened. */
export interface LateDirectWay extends DirectWay {
  open(way: DirectWay): void
}

/** Makes a way that is closed. */
export function directWay(): LateDirectWay {
  let opened: DirectWay | null = null
  return {
    take: (place) => opened?.take(place) ?? null,
    open: (way) => {
      opened = way
    },
  }
}
