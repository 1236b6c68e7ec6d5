import type { Clock } from '../core/ports/clock.ts'
import type { NewId } from '../core/id.ts'
import type { Log } from '../core/ports/log.ts'
import type { SendHttp } from '../core/ports/outgoing-request.ts'
import type { Random } from '../core/ports/random.ts'
import type { Store } from '../core/ports/store.ts'
import type { EgressGuard } from '../delivery/egress/guard.ts'
import type { Post } from '../delivery/egress/post.ts'

/** What the parts work with. A test gives its own. */
export interface Dependencies {
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly newId: NewId
  readonly log: Log
  /** Which addresses webhooks may lead to. */
  readonly guard: EgressGuard
  /** How a request leaves for a webhook. */
  readonly post: Post
  /** Which addresses carriers over HTTP may lead to. */
  readonly carrierGuard: EgressGuard
  /** How a request leaves for a carrier. */
  readonly send: SendHttp
}
