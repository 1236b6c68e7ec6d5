import type { CarrierCounts } from '../../core/ports/carrier.ts'
import type { Labels, Metrics, Sample } from '../../core/ports/metrics.ts'
import type { Store } from '../../core/ports/store.ts'
import type { CarrierRegistry } from './carrier-registry.ts'

/** Creates the counters of carriers, labelled by identifier: an operator has a handful of them. */
export function carrierCounts(
  metrics: Metrics,
  opened: (carrier: string) => void = () => {},
): CarrierCounts {
  const submitted = metrics.counter(
    'nuncio_carrier_parts_total',
    'Parts submitted to carriers, by status of the response.',
  )
  const throttled = metrics.counter(
    'nuncio_carrier_throttled_total',
    'Times that a carrier throttled the service.',
  )
  const receipts = metrics.counter('nuncio_receipts_total', 'Delivery receipts, by match.')
  const retried = metrics.counter(
    'nuncio_submissions_retried_total',
    'Submits that are repeated, because the carrier was BUSY or its response is UNCERTAIN.',
  )
  const known = new Map<string, Labels>()
  // Returns the same object for the same labels, which is faster.
  const labels = (carrier: string, name: 'status' | 'match' | 'reason', value: string): Labels => {
    const key = `${carrier} ${name} ${value}`
    const found = known.get(key) ?? { carrier, [name]: value }
    if (known.size < labelsMax) known.set(key, found)
    return found
  }
  return {
    opened: (carrier) => {
      opened(carrier)
      throttled.add({ carrier }, 0)
      for (const match of receiptMatches) receipts.add(labels(carrier, 'match', match), 0)
      for (const reason of retryReasons) retried.add(labels(carrier, 'reason', reason), 0)
    },
    retried: (carrier, reason) => retried.add(labels(carrier, 'reason', reason)),
    submitted: (carrier, status, parts) =>
      submitted.add(labels(carrier, 'status', status ?? 'UNANSWERED'), parts),
    throttled: (carrier) => throttled.add({ carrier }),
    receipted: (carrier, match) => receipts.add(labels(carrier, 'match', match)),
  }
}

const receiptMatches = ['MATCHED', 'UNMATCHED', 'REPEATED', 'LATE'] as const
const retryReasons = ['BUSY', 'UNCERTAIN'] as const

/** The most labels, and so the most series of a metric. */
const labelsMax = 1000

const carrierStates = ['BOUND', 'CONNECTING', 'DOWN', 'STOPPED'] as const

/** The limit of counting: far fewer unmatched receipts are worth an alarm. */
const unmatchedMax = 10_000

/** Measures the carriers that are open on this node, and their waiting messages in the store. */
export function measureCarriers(metrics: Metrics, registry: CarrierRegistry, store: Store): void {
  metrics.gauge('nuncio_carriers', 'Active carriers by their state, on this node.', () => {
    const states = registry.open().map((carrier) => carrier.condition().state)
    return carrierStates.map((state) => ({
      labels: { state },
      value: states.filter((each) => each === state).length,
    }))
  })
  const gauge = (name: string, help: string, valueOf: (id: string) => number | undefined): void =>
    metrics.gauge(name, help, () =>
      registry.open().flatMap(({ id }): Sample[] => {
        const value = valueOf(id)
        return value === undefined ? [] : [{ labels: { carrier: id }, value }]
      }),
    )
  const own = (id: string) => registry.find(id)?.condition()
  gauge('nuncio_carrier_binds', 'Bound links of this node.', (id) => own(id)?.links?.bound)
  gauge(
    'nuncio_carrier_window_parts',
    'Maximum unacknowledged parts of the bound links.',
    (id) => own(id)?.links?.window,
  )
  gauge('nuncio_carrier_in_flight_parts', 'Unacknowledged parts.', (id) => own(id)?.inFlight)
  metrics.gauge(
    'nuncio_receipts_unmatched',
    `Delivery receipts without a known part, counted up to ${unmatchedMax}.`,
    async () => {
      const count = store.transact(({ receipts }) => receipts.unmatched(unmatchedMax))
      // An unreachable store must not block the other metrics.
      return count.then(
        (value) => [{ labels: {}, value }],
        () => [],
      )
    },
  )
}
