import type { SmppConnection } from './network.ts'

/**
 * Stops reading from an SMSC that sends more than is answered, or does not read responses. This
 * bounds
 * the memory of a link; the SMSC stores the rest.
 */
export interface DeliveryGate {
  /** True while reading is paused. */
  readonly isShut: boolean
  /** Something came that will be answered. */
  enter(): void
  /** It was answered. */
  leave(): void
  /** Too much waits to be sent. */
  onFull(): void
  /** It was sent. */
  onRoom(): void
}

/** The most deliveries of a link that wait to be durable: several commits of them. */
const deliveriesMax = 1000

/** Makes the gate of a connection. */
export function deliveryGate(connection: SmppConnection): DeliveryGate {
  let inside = 0
  let full = false
  let shut = false

  const turn = (): void => {
    const wanted = full || inside >= deliveriesMax || (shut && inside > deliveriesMax / 2)
    if (wanted === shut) return
    shut = wanted
    if (shut) connection.pause()
    else connection.resume()
  }

  return {
    get isShut() {
      return shut
    },
    enter: () => {
      inside += 1
      turn()
    },
    leave: () => {
      inside -= 1
      turn()
    },
    onFull: () => {
      full = true
      turn()
    },
    onRoom: () => {
      full = false
      turn()
    },
  }
}
