import { correlationFields, readCorrelation, type Tracing } from '../../core/correlation.ts'
import type { Log } from '../../core/ports/log.ts'
import type { Store, Transaction } from '../../core/ports/store.ts'
import { transactionNotes } from '../../core/transaction-notes.ts'
import type { Labels, Metrics } from '../../core/ports/metrics.ts'
import { type Message, sentStatuses } from '../../collections/messages.ts'

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

/** Metrics of messages. */
export interface MessageMetrics {
  readonly observe: ObserveTransition
  /** Begins the series of a carrier at zero. */
  opened(carrier: string): void
}

/** Seconds; from the simulator to a telephone that was off for days. */
const buckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1800, 10_800, 86_400, 259_200]

/** The most carriers with series, so that series are bounded. */
const carriersMax = 100

/** The labels of a carrier. */
interface OfCarrier {
  readonly carrier: Labels
  readonly statuses: ReadonlyMap<string, Labels>
}

/** Counts the statuses that messages take, and measures the time between them. */
export function messageMetrics(metrics: Metrics): MessageMetrics {
  const statuses = metrics.counter(
    'nuncio_messages_total',
    'Messages that took a status, by status and carrier.',
  )
  const parts = metrics.counter('nuncio_message_parts_total', 'Parts of messages that became SENT.')
  const submit = metrics.histogram(
    'nuncio_message_submit_duration_seconds',
    'Time from ACCEPTED to SENT.',
    buckets,
  )
  const receipt = metrics.histogram(
    'nuncio_message_receipt_duration_seconds',
    'Time from SENT to DELIVERED, FAILED or UNKNOWN.',
    buckets,
  )
  const known = new Map<string, OfCarrier>()
  const labelsOf = (carrier: string): OfCarrier => {
    const found = known.get(carrier)
    if (found !== undefined) return found
    const name = known.size < carriersMax ? carrier : 'others'
    const made = {
      carrier: { carrier: name },
      statuses: new Map(
        [...sentStatuses, 'RECEIVED'].map((status) => [status, { carrier: name, status }]),
      ),
    }
    if (known.size < carriersMax) known.set(carrier, made)
    return made
  }

  return {
    observe: ({ message }) => {
      const labels = labelsOf(message.carrier ?? '')
      const { type } = message.status
      statuses.add(labels.statuses.get(type) ?? labels.carrier)
      if (type === 'SENT') {
        parts.add(labels.carrier, message.numberOfParts)
        submit.observe(labels.carrier, secondsSince(message, 'ACCEPTED.null'))
      } else if (isReport(message)) {
        receipt.observe(labels.carrier, secondsSince(message, 'SENT.null'))
      }
    },
    opened: (carrier) => {
      const labels = labelsOf(carrier)
      for (const each of labels.statuses.values()) statuses.add(each, 0)
      parts.add(labels.carrier, 0)
    },
  }
}

/** Returns whether a message that was sent now has an outcome. */
function isReport({ status, history }: Message): boolean {
  const isOutcome =
    status.type === 'DELIVERED' || status.type === 'FAILED' || status.type === 'UNKNOWN'
  return isOutcome && history.some((entry) => entry.status === 'SENT.null')
}

/** Returns the time from a status to the present one. Timestamps of one form need no full check. */
function secondsSince({ history }: Message, status: string): number {
  const from = history.find((entry) => entry.status === status)?.date
  const to = history.at(-1)?.date
  if (from === undefined || to === undefined) return 0
  return Math.max(Date.parse(to) - Date.parse(from), 0) / 1000
}
