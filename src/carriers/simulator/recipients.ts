import type { PartOutcome } from '../../core/ports/receipts.ts'

/** A receipt that the simulator gives for each part of a message. */
export interface SimulatedReceipt {
  readonly outcome: PartOutcome
  /** When, from the submission on; absent: after the configured delay. */
  readonly delayMs?: number
  /** Additional delay in milliseconds. */
  readonly lateMs?: number
}

/** Behaviour of the simulator for a message. */
export interface Behaviour {
  /** It is refused at submission, with this detail. */
  readonly rejectedWith?: string
  readonly receipts: readonly SimulatedReceipt[]
  /** A message comes back with the first receipt, with the same body. */
  readonly replies?: boolean
}

/** Returns the behaviour for a recipient: magic recipients have special ones. */
export function behaviourOf(recipient: string): Behaviour {
  return behaviours.get(recipient) ?? { receipts: [{ outcome: delivered }] }
}

const delivered: PartOutcome = { type: 'DELIVERED', detail: null }
const unknown: PartOutcome = { type: 'UNKNOWN', detail: null }
const undeliverable: PartOutcome = { type: 'FAILED', detail: 'UNDELIVERABLE' }

const behaviours: ReadonlyMap<string, Behaviour> = new Map([
  ['+10000000001', { receipts: [{ outcome: undeliverable }] }],
  ['+10000000002', { rejectedWith: 'REJECTED', receipts: [] }],
  ['+10000000003', { receipts: [] }],
  ['+10000000004', { receipts: [{ outcome: delivered }], replies: true }],
  ['+10000000005', { receipts: [{ outcome: delivered, delayMs: 30_000 }] }],
  // Twice and out of order: the first receipt comes after the final one.
  [
    '+10000000006',
    {
      receipts: [
        { outcome: delivered },
        { outcome: unknown, lateMs: 500 },
        { outcome: delivered, lateMs: 500 },
      ],
    },
  ],
])
