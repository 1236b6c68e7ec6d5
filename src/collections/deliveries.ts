import { collection, type InstanceOf } from '../core/declaration/collection.ts'
import { array, boolean, choice, integer, text, timestampField } from '../core/declaration/field.ts'
import { alertTypes } from '../core/ports/notification-log.ts'

/** Outcomes of a delivery attempt. */
export const outcomes = [
  'ACCEPTED',
  'REFUSED',
  'GONE',
  'UNREACHABLE',
  'TIMEOUT',
  'BLOCKED',
] as const

/** One attempt to deliver a batch to a webhook. A client makes one to test the receiver. */
export const deliveries = collection({
  name: 'deliveries',
  noun: 'delivery',
  description: 'One attempt to deliver notifications to a webhook.',
  parent: 'webhooks',
  order: 'newestFirst',
  passing: true,
  methods: { collection: ['GET', 'POST'], instance: ['GET'] },
  fields: {
    batchId: text({ readOnly: true, description: 'The `webhook-id`, the same on every attempt.' }),
    attempt: integer({ readOnly: true, description: 'From 1.' }),
    date: timestampField({ readOnly: true, description: 'When it began.' }),
    durationMs: integer({ readOnly: true, description: 'How long it took.' }),
    outcome: choice(outcomes, { readOnly: true, description: 'What became of it.' }),
    statusCode: integer({
      readOnly: true,
      nullable: true,
      description: 'The status of the answer.',
    }),
    error: text({ readOnly: true, nullable: true, description: 'What went wrong.' }),
    response: text({
      readOnly: true,
      nullable: true,
      description: 'The first 4 KiB of the answer.',
    }),
    messageIds: array(text(), { readOnly: true, description: 'The messages, in their order.' }),
    test: boolean({
      readOnly: true,
      default: false,
      description: 'Whether it was a test: a sample, and no notification.',
    }),
    replay: text({
      readOnly: true,
      nullable: true,
      description: 'The replay that it is part of, if any.',
    }),
    type: choice(['SENT', 'RECEIVED', ...alertTypes], {
      writeOnly: true,
      default: 'SENT',
      description: 'The type of the sample that a test sends.',
    }),
  },
})

/** A delivery as it is served. */
export type DeliveryAttempt = InstanceOf<typeof deliveries>
