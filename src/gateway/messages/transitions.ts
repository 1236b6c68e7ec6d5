import type { Message } from '../../collections/messages.ts'
import type { Store, Transaction } from '../../core/ports/store.ts'

/** A status that a message took. */
export interface Transition {
  readonly message: Message
  /** The request that created the message, as `correlationText`; null if none is known. */
  readonly correlation: string | null
}

/** Observes a transition that is durable. */
export type ObserveTransition = (transition: Transition) => void

const noted = new WeakMap<Transaction, Transition[]>()

/** Notes a transition of a transaction: it is observed once that is committed. */
export function noteTransition(transaction: Transaction, transition: Transition): void {
  const known = noted.get(transaction)
  if (known === undefined) noted.set(transaction, [transition])
  else known.push(transition)
}

/** Returns a store whose committed transitions are observed. */
export function observingTransitions(store: Store, observe: ObserveTransition): Store {
  return {
    ...store,
    transact: (work, pace) => {
      let run: Transaction | null = null
      const ran = store.transact((transaction) => {
        // A second run of the transaction begins anew: the first one was rolled back.
        run = transaction
        return work(transaction)
      }, pace)
      ran.then(
        () => {
          for (const transition of (run && noted.get(run)) ?? []) observe(transition)
        },
        () => {},
      )
      return ran
    },
  }
}
