import { collection, type InstanceOf } from '../core/declaration/collection.ts'
import { array, integer, object, text } from '../core/declaration/field.ts'
import type { PartContent } from '../core/ports/carrier.ts'

/**
 * Incoming messages: parts while others are missing, and complete messages for as long as a carrier may
 * repeat them. It has no methods, so clients cannot reach it.
 */
export const incomingMessages = collection({
  name: 'incomingMessages',
  noun: 'incoming',
  description: 'A message from outside whose parts are awaited, or that may be repeated.',
  owned: true,
  methods: { collection: [], instance: [] },
  fields: {
    account: text({ description: 'The account that the message is for.' }),
    carrier: text({ description: 'The carrier that reported it.' }),
    from: text({ description: 'The sender.' }),
    to: text({ description: 'The address that it arrived at.' }),
    reference: text({ description: 'Distinguishes it from other messages of the sender.' }),
    total: integer({ description: 'The number of its parts; 0 if it came as a whole.' }),
    parts: array(object({}, { open: true }), { description: 'The parts that have arrived.' }),
    waitsUntil: integer({
      nullable: true,
      indexed: true,
      description:
        'Until when further parts are awaited, in milliseconds since 1970; null: none are.',
    }),
    expiresAt: integer({
      nullable: true,
      indexed: true,
      description:
        'Until when a repetition is recognized, as `waitsUntil`; null while parts are awaited.',
    }),
  },
})

/** A part that has arrived. */
export interface ArrivedPart {
  /** From 1. */
  readonly part: number
  readonly protocolId: number
  readonly content: PartContent
}

/** An incoming message with its received parts. */
export type IncomingMessage = Omit<InstanceOf<typeof incomingMessages>, 'parts'> & {
  readonly parts: readonly ArrivedPart[]
}
