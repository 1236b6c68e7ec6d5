import type { Carrier, CarrierCondition } from '../../core/ports/carrier.ts'
import type { CarrierRoute } from '../../collections/carriers.ts'

/** A carrier as it is open for messages. */
export interface OpenCarrier {
  readonly id: string
  readonly routes: readonly CarrierRoute[]
  /** How long it may be not BOUND until it loses its turn. */
  readonly downLimitMs: number
  readonly limits: CarrierLimits
  /** How it is, over all nodes. */
  condition(): CarrierCondition
  /** Whether it is not open here, but may be on another node. */
  readonly isElsewhere?: () => boolean
}

/** What a carrier can take. */
export interface CarrierLimits {
  /** The most messages with it at once. */
  readonly inFlight: number
  /** Parts a second; null for no limit. */
  readonly partsPerSecond: number | null
}

/** A carrier that is kept open as long as a message is with it. */
export interface CarrierHandle {
  readonly carrier: Carrier
  giveBack(): void
}

/** The carriers that are open in this process. */
export interface Carriers {
  /** Those that take messages, as they are now. */
  open(): readonly OpenCarrier[]
  /** Null where there is none that takes messages. */
  borrow(id: string): CarrierHandle | null
  /** Calls `listener` whenever another set of carriers is open; returns how to stop. */
  onChange(listener: () => void): () => void
}
