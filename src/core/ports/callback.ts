import type { MaybePromise } from '../maybe-promise.ts'
import type { InputError } from '../problem.ts'

/** Head of a request by which a provider reports to its carrier. */
export interface CallbackHead {
  /** POST or GET. */
  readonly method: string
  /** The last segment of the path: which of the carrier's callbacks is meant. */
  readonly name: string
  /** The target as it was sent: path and query. */
  readonly target: string
  /** Header fields by lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** Request by which a provider reports to its carrier. */
export interface Callback extends CallbackHead {
  readonly body: Uint8Array
}

/** A callback whose body may still be in transit: what its head refuses is never read. */
export interface ArrivingCallback extends CallbackHead {
  /** Receives the body. Throws a `Problem` if it is too large or too slow, or if too many are in transit. */
  readonly receive: () => MaybePromise<Uint8Array>
}

/** Result of a callback. */
export type CallbackOutcome =
  /** All its events are durable. The other fields are the response that the provider expects. */
  | {
      readonly kind: 'TAKEN'
      readonly status: number
      readonly contentType: string | null
      readonly body: string | null
      readonly counts: CallbackCounts
    }
  /** There is no such callback, or who calls is not who may: the two look the same. */
  | { readonly kind: 'REFUSED' }
  /** Its body is neither JSON nor a form. */
  | { readonly kind: 'UNREADABLE'; readonly detail: string }
  | { readonly kind: 'WRONG_TYPE'; readonly detail: string }
  /** Some of its events have a shape that is not declared; the others are durable. */
  | {
      readonly kind: 'NOT_UNDERSTOOD'
      readonly errors: readonly InputError[]
      readonly counts: CallbackCounts
    }

/** Takes what a provider calls back with. Throws what `receive` and the store throw, and nothing else. */
export type TakeCallback = (callback: ArrivingCallback) => Promise<CallbackOutcome>

/** Number of events of each kind in a callback. */
export interface CallbackCounts {
  readonly receipts: number
  readonly messages: number
  /** Understood and without effect: ignored, or of a state that is not declared. */
  readonly passedOver: number
  readonly notUnderstood: number
}
