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
    attempt: integer({ readOnly: true, description: 'Number of the attempt, from 1.' }),
    date: timestampField({ readOnly: true, description: 'When it started.' }),
    durationMs: integer({ readOnly: true, description: 'Duration.' }),
    outcome: choice(outcomes, { readOnly: true, description: 'The result.' }),
    statusCode: integer({
      readOnly: true,
      nullable: true,
      description: 'Status of the response.',
    }),
    error: text({ readOnly: true, nullable: true, description: 'Cause of a failure.' }),
    response: text({
      readOnly: true,
      nullable: true,
      description: 'The first 4 KiB of the response.',
    }),
    messageIds: array(text(), { readOnly: true, description: 'The messages in order.' }),
    test: boolean({
      readOnly: true,
      default: false,
      description: 'Whether it was a test with a sample.',
    }),
    replay: text({
      readOnly: true,
      nullable: true,
      description: 'The replay that it belongs to, if any.',
    }),
    type: choice(['SENT', 'RECEIVED', ...alertTypes], {
      writeOnly: true,
      default: 'SENT',
      description: 'Type of the sample of a test.',
    }),
  },
})

/** A delivery as it is served. */
export type DeliveryAttempt = InstanceOf<typeof deliveries>
