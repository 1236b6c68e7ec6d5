import type { NewId } from '../../core/id.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { Random } from '../../core/ports/random.ts'
import type { Store } from '../../core/ports/store.ts'
import type { Tracing } from '../../core/correlation.ts'
import type { Schedule } from '../attempts/schedule.ts'
import type { Post } from '../egress/post.ts'
import type { ConcurrencyLimiter } from './concurrency-limiter.ts'
import type { DeliveryEvents } from './events.ts'

/** Dependencies of deliveries. */
export interface DeliveryParts {
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly newId: NewId
  readonly events: DeliveryEvents
  readonly post: Post
  /** A notification record, as JSON text, in the words of a version of the interface. */
  readonly recordIn: (version: string, record: string) => string
  readonly schedule: Schedule
  /** `Nuncio/<version>`. */
  readonly userAgent: string
  readonly limiter: ConcurrencyLimiter
  readonly node: NodeState
  readonly tracing?: Tracing | undefined
}

/** State that the deliveries of one node share. */
export interface NodeState {
  /** Returns true if the leases of this node are certain to hold. */
  holdsLeases(): boolean
  /** Counts the commits that changed a webhook: a target read before the last one may be outdated. */
  changes(): number
  /** Nothing new is begun. */
  readonly stopping: AbortSignal
  /** Aborts the requests in flight. */
  readonly aborting: AbortSignal
}
