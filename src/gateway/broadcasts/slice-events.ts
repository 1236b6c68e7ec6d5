import type { Log } from '../../core/ports/log.ts'
import type { Metrics } from '../../core/ports/metrics.ts'
import type { BroadcastWork } from '../../collections/broadcast-work.ts'

/** A slice that failed by a fault of the service. */
export interface FailedSlice {
  readonly work: BroadcastWork
  readonly error: unknown
  /** The consecutive failures, this one included. */
  readonly failures: number
  /** True if it is not tried again. */
  readonly isGivenUp: boolean
}

/** The events of broadcasts that an operator needs. */
export interface SliceEvents {
  failed(slice: FailedSlice): void
}

/** Creates the events: it logs and counts them. */
export function sliceEvents(log: Log, metrics: Metrics): SliceEvents {
  const slices = metrics.counter(
    'nuncio_broadcast_slices_failed_total',
    'Broadcast slices that failed by a fault of the service.',
    [{}],
  )
  const broadcasts = metrics.counter(
    'nuncio_broadcasts_failed_total',
    'Broadcasts that became FAILED.',
    [{}],
  )
  return {
    failed: ({ work: { account, broadcast, task }, error, failures, isGivenUp }) => {
      slices.add({})
      log('error', 'broadcast slice failed', { error, account, broadcast, failures })
      if (!isGivenUp) return
      broadcasts.add({})
      log('error', 'broadcast abandoned', { account, broadcast, task, failures })
    },
  }
}
