import type { Carrier, CarrierCondition } from '../../core/ports/carrier.ts'
import type { PartScheme } from '../../core/part-scheme.ts'
import type { CarrierRoute } from '../../collections/carriers.ts'

/** A carrier as routing and claims see it. */
export interface OpenCarrier {
  readonly id: string
  readonly routes: readonly CarrierRoute[]
  /** The time without a bind after which another carrier takes over. */
  readonly downLimitMs: number
  readonly limits: CarrierLimits
  /** The scheme that splits its messages into parts. */
  readonly partScheme: PartScheme
  /** Returns its condition over all nodes. */
  condition(): CarrierCondition
  /** Returns true if it is not open here but may be on another node. */
  readonly isElsewhere?: () => boolean
}

/** The limits of a carrier. */
export interface CarrierLimits {
  /** The most messages in flight; `limitsOf` computes it from the settings. */
  readonly inFlight: number
  /** The most parts per second; null: no limit. */
  readonly partsPerSecond: number | null
}

/** A handle that keeps a carrier open while a message is in flight. */
export interface CarrierHandle {
  readonly carrier: Carrier
  release(): void
}

/** The open carriers of this process. */
export interface Carriers {
  /** Returns the carriers that take messages now. */
  open(): readonly OpenCarrier[]
  /** Returns null if this carrier takes no messages. */
  acquire(id: string): CarrierHandle | null
  /** Calls `listener` after each change of the open carriers. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void
}
