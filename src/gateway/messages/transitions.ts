import type { Message } from '../../collections/messages.ts'
import type { Store, Transaction } from '../../core/ports/store.ts'
import { transactionNotes } from '../../core/transaction-notes.ts'

/** A status that a message took. */
export interface Transition {
  readonly message: Message
  /** The request that created the message, as `correlationText`; null if none is known. */
  readonly correlation: string | null
}

/** Observes a transition that is durable. */
export type ObserveTransition = (transition: Transition) => void

const transitions = transactionNotes<Transition>()

/** Notes a transition of a transaction: it is observed once that is committed. */
export function noteTransition(transaction: Transaction, transition: Transition): void {
  transitions.note(transaction, transition)
}

/** Returns a store whose committed transitions are observed. */
export function observingTransitions(store: Store, observe: ObserveTransition): Store {
  return transitions.observing(store, (noted, isCommitted) => {
    if (isCommitted) for (const transition of noted) observe(transition)
  })
}
