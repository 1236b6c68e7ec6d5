import type { Clock } from '../../core/ports/clock.ts'
import type { SendHttp } from '../../core/ports/outgoing-request.ts'

/** Network access of HTTP carriers. */
export interface HttpNetwork {
  readonly send: SendHttp
  readonly clock: Clock
  /** Why requests cannot go to this URL, as "must …"; null where they can. */
  readonly refusal: (url: string) => string | null
}
