import { collection, type InstanceOf, lifecycle } from '../core/declaration/collection.ts'
import {
  array,
  choice,
  type DefaultsOf,
  type Fields,
  integer,
  namesOf,
  number,
  object,
  text,
  timestampField,
  type ValueOf,
} from '../core/declaration/field.ts'
import type { JsonObject, JsonValue } from '../core/json.ts'

/** A state only moves forward: a step that is not in this table is a report that came late. */
export const messageStates = lifecycle({
  SCHEDULED: ['ACCEPTED', 'CANCELLED'],
  ACCEPTED: ['SENT', 'FAILED', 'UNKNOWN', 'CANCELLED'],
  SENT: ['DELIVERED', 'FAILED', 'UNKNOWN'],
  UNKNOWN: ['DELIVERED', 'FAILED'],
  DELIVERED: [],
  FAILED: [],
  CANCELLED: [],
  RECEIVED: [],
})

/** The type of a message's status. */
export type StatusType = (typeof messageStates.states)[number]

/** Why a message failed: the detail of the status FAILED. */
export const failures = [
  'UNDELIVERABLE',
  'EXPIRED',
  'REJECTED',
  'BLOCKED',
  'HANDSET_ERROR',
  'NOT_SENT',
] as const

/** The detail of the status UNKNOWN of a message that its carrier may have taken, and never answered. */
export const noResponse = 'NO_RESPONSE'

/** The statuses that end a sent message's way, as far as is known. UNKNOWN may still be corrected. */
export const finalStatuses = ['DELIVERED', 'FAILED', 'UNKNOWN', 'CANCELLED'] as const

/** The statuses after which nothing is left to do for a message, received ones included. */
export const endedStatuses = [...finalStatuses, 'RECEIVED'] as const

/** The statuses that a sent message can have. */
export const sentStatuses = [
  'SCHEDULED',
  'ACCEPTED',
  'SENT',
  'DELIVERED',
  'FAILED',
  'UNKNOWN',
  'CANCELLED',
] as const

/**
 * The statuses that few messages have, or that a message has from its first to its last moment. A message
 * passes through the others, and on PostgreSQL each step would write to an index.
 */
const seldom = ['FAILED', 'UNKNOWN', 'CANCELLED', 'RECEIVED'] as const satisfies StatusType[]

/** Longest scheduling time: two years. */
export const scheduleMsMax = 2 * 366 * 24 * 3_600_000

/**
 * The fields of a notification record after `id`, in their order on the wire. They are listed here
 * only: the message, the types of both packages, the OpenAPI document and the documentation's table
 * derive from them.
 */
export const recordFields = {
  type: choice(['SENT', 'RECEIVED'], {
    default: 'SENT',
    description:
      '`SENT` by this service, or `RECEIVED`. Only an administrator imports `RECEIVED` messages.',
  }),
  from: text({
    format: 'senderOrEmpty',
    nullable: 'input',
    description:
      'The sender; if absent, the default sender of the service. ' +
      'Empty if a message was received without one.',
  }),
  to: text({ format: 'recipient', required: true, indexed: true, description: 'The recipient.' }),
  body: text({
    required: true,
    minLength: 1,
    maxLength: 40_000,
    description: 'The text; in a `BINARY` message octets in hex.',
  }),
  encoding: choice(['TEXT', 'UNICODE', 'BINARY'], {
    nullable: 'input',
    description: '`TEXT` is GSM 03.38; if absent, the encoding with the fewest parts and no loss.',
  }),
  protocolId: integer({
    minimum: 0,
    maximum: 255,
    default: 0,
    description: 'TP-PID of 3GPP TS 23.040.',
  }),
  messageClass: integer({
    minimum: 0,
    maximum: 3,
    default: 1,
    description: 'Message class of 3GPP TS 23.038.',
  }),
  numberOfParts: integer({ readOnly: true, description: 'Number of parts.' }),
  creditCost: number({ readOnly: true, description: 'Cost in credits.' }),
  submission: object(
    { id: text(), date: timestampField() },
    { readOnly: true, description: 'Time and identifier of the acceptance.' },
  ),
  status: object(
    { id: text(), type: choice(messageStates.states, { indexedValues: seldom }) },
    { readOnly: true, description: '`id` is the type and its detail, such as `FAILED.EXPIRED`.' },
  ),
  relatedSentMessageId: text({
    readOnly: true,
    nullable: true,
    description: 'The sent message that a received message answers.',
  }),
  userSuppliedId: text({
    minLength: 1,
    maxLength: 64,
    nullable: true,
    indexed: true,
    description: 'Your identifier; it need not be unique.',
  }),
} as const

/** One message, sent or received. The order of the fields is their order on the wire. */
export const messages = collection({
  name: 'messages',
  noun: 'message',
  description: 'A text message, sent or received.',
  order: 'newestFirst',
  searchedBy: ['body'],
  filters: {
    counterpart: {
      description: 'Only messages to or from this address: `to` of `SENT`, `from` of `RECEIVED`.',
      alternatives: [
        { where: { type: 'SENT' }, field: 'to' },
        { where: { 'status.type': 'RECEIVED' }, field: 'from' },
      ],
    },
  },
  fields: {
    ...recordFields,
    scheduledAt: timestampField({
      nullable: true,
      description: 'When to send it; at most two years ahead.',
    }),
    validUntil: timestampField({
      nullable: true,
      description: 'End of validity; null: the carrier decides, within three days.',
    }),
    maxParts: integer({
      minimum: 1,
      maximum: 255,
      writeOnly: true,
      nullable: true,
      description: 'Maximum parts; 10 by default.',
    }),
    carrier: text({
      nullable: true,
      maxLength: 64,
      description: 'The carrier of the message.',
    }),
    priority: integer({
      minimum: 0,
      maximum: 3,
      default: 1,
      description: 'Higher numbers get more of the carrier’s capacity.',
    }),
    networkCode: text({
      nullable: true,
      readOnly: true,
      description:
        'Code of the carrier in its last report, such as `001`, `3:11` or `ESME_RINVDSTADR`.',
    }),
    history: array(
      object({ status: text(), date: timestampField(), code: text({ optional: true }) }),
      {
        readOnly: true,
        description: 'Every status and intermediate report with its time, and the carrier’s code.',
      },
    ),
    bodyErasedAt: timestampField({
      readOnly: true,
      nullable: true,
      description: 'When the retention erased `body`, which is empty since then.',
    }),
    /** The tally of the broadcast that made it, under which its status is counted. */
    tally: text({ internal: true }),
    /** The request that created it, as `correlationText`. */
    correlation: text({ internal: true }),
  },
})

/** A message as it is served. */
export type Message = InstanceOf<typeof messages>

/**
 * The public fields of a message in their order on the wire, each with its default or null. Its type
 * lacks the fields that must have a value, so that the compiler asks for those.
 */
export const blankMessage = blankOf(messages.fields) as Pick<
  Message,
  keyof DefaultsOf<typeof messages.fields> & keyof Message
>

function blankOf(fields: Fields): unknown {
  const shown = Object.entries(fields).filter(
    ([, { writeOnly, internal }]) => writeOnly !== true && internal !== true,
  )
  const values = shown.map(([name, field]) => [name, field.default ?? null])
  return Object.fromEntries([['id', null], ...values, ['createdAt', null], ['updatedAt', null]])
}

/** A message as a client proposes it: the rules have not replaced its nulls yet. */
export type ProposedMessage = Omit<Message, 'from' | 'encoding'> & {
  readonly from: Message['from'] | null
  readonly encoding: Message['encoding'] | null
}

/** The record of a message in the notification log and in the requests to webhooks. */
export type NotificationRecord = { readonly id: string } & {
  readonly [K in keyof typeof recordFields]: ValueOf<(typeof recordFields)[K]>
}

/** The names of the fields of a notification record, in their order on the wire. */
export const recordNames = ['id', ...namesOf(recordFields)] as const

/** Returns the notification record of a message in its present status. */
export function notificationRecord(message: NotificationRecord): JsonObject {
  const record: Record<string, JsonValue> = {}
  for (const name of recordNames) record[name] = message[name]
  return record
}
