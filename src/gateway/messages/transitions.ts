import type { Message } from '../../collections/messages.ts'
import { correlationFields, readCorrelation, type Tracing } from '../../core/correlation.ts'
import type { Log } from '../../core/ports/log.ts'
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

/** Logs each status that a message takes. */
export function transitionLog(log: Log): ObserveTransition {
  return ({ message: { id, status, carrier, networkCode }, correlation }) =>
    log('debug', 'message status changed', {
      messageId: id,
      status: status.id,
      carrier,
      ...(networkCode === null ? {} : { networkCode }),
      ...correlationFields(correlation),
    })
}

/** Records a status in the trace of its message. The request that created it has a span already. */
export function traceTransition(tracing: Tracing, { message, correlation }: Transition): void {
  const { id, status, carrier, networkCode } = message
  if (status.type === 'ACCEPTED') return
  const span = tracing.begin({
    name: `message ${status.type}`,
    kind: 'INTERNAL',
    parent: readCorrelation(correlation)?.traceparent ?? null,
    attributes: () => ({
      'messaging.message.id': id,
      'nuncio.status': status.id,
      'nuncio.carrier': carrier ?? '',
      'nuncio.network_code': networkCode ?? '',
    }),
  })
  span.end(undefined, status.type === 'FAILED' ? status.id : null)
}
