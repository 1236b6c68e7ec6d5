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
  description: 'Notifications that a webhook is sent again.',
  parent: 'webhooks',
  order: 'newestFirst',
  methods: { collection: ['GET', 'POST'], instance: ['GET', 'PATCH'] },
  fields: {
    from: timestampField({
      required: true,
      description: 'Only what happened at this time or later.',
    }),
    until: timestampField({
      nullable: true,
      description: 'Only what happened before this time.',
    }),
    types: array(choice(['RECEIVED', 'SENT', ...alertTypes]), {
      minItems: 1,
      uniqueItems: true,
      nullable: true,
      description: 'Only these types. Where none are given, those of the webhook.',
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
      description: 'Only what was set aside, and not delivered since.',
    }),
    state: choice(replayStates, { readOnly: true, description: 'How far it has come.' }),
    stateReason: text({ readOnly: true, nullable: true, description: 'Why it is in this state.' }),
    sent: integer({
      live: true,
      readOnly: true,
      description: 'How many records were acknowledged.',
    }),
    setAside: integer({
      live: true,
      readOnly: true,
      description: 'How many records were refused again, and set aside.',
    }),
    reached: timestampField({
      live: true,
      readOnly: true,
      nullable: true,
      description: 'When the last record that it is done with had happened.',
    }),
    nextAttemptAt: timestampField({
      live: true,
      readOnly: true,
      nullable: true,
      description: 'When the next attempt is made, while its deliveries fail.',
    }),
    endedAt: timestampField({
      readOnly: true,
      nullable: true,
      description: 'When it came to its end.',
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
