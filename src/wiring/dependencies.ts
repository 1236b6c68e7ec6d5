import type { Clock } from '../core/ports/clock.ts'
import type { NewId } from '../core/id.ts'
import type { Log } from '../core/ports/log.ts'
import type { SendHttp } from '../core/ports/outgoing-request.ts'
import type { Random } from '../core/ports/random.ts'
import type { Tracing } from '../core/correlation.ts'
import type { Store } from '../core/ports/store.ts'
import type { EgressGuard } from '../delivery/egress/guard.ts'
import type { Post } from '../delivery/egress/post.ts'

/** Ports that the parts need. Tests pass test doubles. */
export interface Dependencies {
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly newId: NewId
  readonly log: Log
  /** Which addresses webhooks may lead to. */
  readonly guard: EgressGuard
  /** Sends a request to a webhook. */
  readonly post: Post
  /** Which addresses carriers over HTTP may lead to. */
  readonly carrierGuard: EgressGuard
  /** Sends a request to a carrier. */
  readonly send: SendHttp
  /** Records spans; absent: none. */
  readonly tracing?: Tracing | undefined
}
