import type { Clock } from '../../core/ports/clock.ts'
import type { NewId } from '../../core/id.ts'
import type { Random } from '../../core/ports/random.ts'
import type { Store } from '../../core/ports/store.ts'
import type { DeliveryEvents } from './events.ts'
import type { Post } from '../egress/post.ts'
import type { Schedule } from '../attempts/schedule.ts'
import type { ConcurrencyLimiter } from './concurrency-limiter.ts'

/** What deliveries are made with. */
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
  readonly turns: ConcurrencyLimiter
  readonly node: NodeState
}

/** What the deliveries of one node have in common. */
export interface NodeState {
  /** Whether the leases of this node surely hold. */
  holdsLeases(): boolean
  /** How many commits changed a webhook: what was read of one before the last of them may be old. */
  changes(): number
  /** Nothing new is begun. */
  readonly stopping: AbortSignal
  /** What is in flight is called off. */
  readonly aborting: AbortSignal
}
