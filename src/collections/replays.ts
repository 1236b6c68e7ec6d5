import { collection, type HiddenOf, type InstanceOf } from '../core/declaration/collection.ts'
import {
  array,
  boolean,
  choice,
  integer,
  object,
  text,
  timestampField,
} from '../core/declaration/field.ts'
import { alertTypes } from '../core/ports/notification-log.ts'
import { sentStatuses } from './messages.ts'

/** States of a replay. The last three are final. */
export const replayStates = [
  'WAITING',
  'RUNNING',
  'RETRYING',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
] as const

/** Notifications that a webhook is sent again, because a client asks for them. */
export const replays = collection({
  name: 'replays',
  noun: 'replay',
  description: 'Notifications that a webhook receives again.',
  parent: 'webhooks',
  order: 'newestFirst',
  methods: { collection: ['GET', 'POST'], instance: ['GET', 'PATCH'] },
  fields: {
    from: timestampField({
      required: true,
      description: 'Only notifications from this time or later.',
    }),
    until: timestampField({
      nullable: true,
      description: 'Only notifications before this time.',
    }),
    types: array(choice(['RECEIVED', 'SENT', ...alertTypes]), {
      minItems: 1,
      uniqueItems: true,
      nullable: true,
      description: 'Only these types; null: those of the webhook.',
    }),
    messageIds: array(text({ minLength: 1, maxLength: 64 }), {
      minItems: 1,
      maxItems: 1000,
      uniqueItems: true,
      nullable: true,
      description: 'Only notifications of these messages.',
    }),
    failedOnly: boolean({
      default: false,
      description: 'Only dead letters that were not delivered later.',
    }),
    state: choice(replayStates, { readOnly: true, description: 'Progress.' }),
    stateReason: text({ readOnly: true, nullable: true, description: 'Cause of the state.' }),
    sent: integer({
      live: true,
      readOnly: true,
      description: 'Number of acknowledged records.',
    }),
    setAside: integer({
      live: true,
      readOnly: true,
      description: 'Number of records that became dead letters again.',
    }),
    reached: timestampField({
      live: true,
      readOnly: true,
      nullable: true,
      description: 'Time of the last finished record.',
    }),
    nextAttemptAt: timestampField({
      live: true,
      readOnly: true,
      nullable: true,
      description: 'Next attempt, while its deliveries fail.',
    }),
    endedAt: timestampField({
      readOnly: true,
      nullable: true,
      description: 'When it ended.',
    }),
    /** The statuses of a `SENT` message that the webhook wanted when it was made. */
    statuses: array(choice(sentStatuses), { internal: true }),
    /** Result of the replay. */
    result: object(
      { sent: integer(), setAside: integer(), reached: timestampField({ nullable: true }) },
      { internal: true },
    ),
  },
})

/** A replay as it is served. */
export type Replay = InstanceOf<typeof replays>

/** Fields of a replay that are stored and never shown. */
export type HiddenReplay = HiddenOf<typeof replays>
