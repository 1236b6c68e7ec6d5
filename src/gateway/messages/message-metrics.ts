import { type Message, sentStatuses } from '../../collections/messages.ts'
import type { Labels, Metrics } from '../../core/ports/metrics.ts'
import { parseTimestamp } from '../../core/timestamp.ts'
import type { ObserveTransition } from './transitions.ts'

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

/** Returns the time from a status to the present one. */
function secondsSince({ history }: Message, status: string): number {
  const from = parseTimestamp(history.find((entry) => entry.status === status)?.date ?? '')
  const to = parseTimestamp(history.at(-1)?.date ?? '')
  return from === null || to === null ? 0 : Math.max(to - from, 0) / 1000
}
