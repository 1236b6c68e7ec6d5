import { collection, type InstanceOf } from '../core/declaration/collection.ts'
import {
  array,
  choice,
  integer,
  number,
  object,
  text,
  timestampField,
} from '../core/declaration/field.ts'
import { lifecycle } from '../core/declaration/lifecycle.ts'

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

/** Longest scheduling time: two years. */
export const scheduleMsMax = 2 * 366 * 24 * 3_600_000

/** One message, sent or received. The order of the fields is their order on the wire. */
export const messages = collection({
  name: 'messages',
  noun: 'message',
  description: 'A text message, sent or received.',
  order: 'newestFirst',
  searchedBy: ['body'],
  fields: {
    type: choice(['SENT', 'RECEIVED'], {
      default: 'SENT',
      description: '`SENT` for a message of ours. Only an administrator imports `RECEIVED` ones.',
    }),
    from: text({
      format: 'sender',
      nullable: true,
      description: 'The sender. Where none is given, the operator’s default sender.',
    }),
    to: text({ format: 'recipient', required: true, indexed: true, description: 'The recipient.' }),
    body: text({
      required: true,
      minLength: 1,
      maxLength: 40_000,
      description: 'The text; of a `BINARY` message its octets in hex.',
    }),
    encoding: choice(['TEXT', 'UNICODE', 'BINARY'], {
      nullable: true,
      description:
        '`TEXT` is GSM 03.38. Where none is given: what takes the fewest parts and loses nothing.',
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
    numberOfParts: integer({ readOnly: true, description: 'How many parts it is sent in.' }),
    creditCost: number({ readOnly: true, description: 'What it costs, in credits.' }),
    submission: object(
      { id: text(), date: timestampField() },
      { readOnly: true, description: 'When and under which identifier it was taken in.' },
    ),
    status: object(
      { id: text(), type: choice(messageStates.states, { indexed: true }) },
      { readOnly: true, description: '`id` is the type and its detail, such as `FAILED.EXPIRED`.' },
    ),
    relatedSentMessageId: text({
      readOnly: true,
      nullable: true,
      description: 'Of a received message: the sent one that it answers.',
    }),
    userSuppliedId: text({
      minLength: 1,
      maxLength: 64,
      nullable: true,
      indexed: true,
      description: 'An identifier of your own; it need not be unique.',
    }),
    scheduledAt: timestampField({
      nullable: true,
      description: 'When to send it; at most two years ahead.',
    }),
    validUntil: timestampField({
      nullable: true,
      description: 'When to give up. Where none is given the carrier decides, within three days.',
    }),
    maxParts: integer({
      minimum: 1,
      maximum: 255,
      writeOnly: true,
      nullable: true,
      description: 'The most parts the body may take; 10 where none is given.',
    }),
    carrier: text({
      nullable: true,
      maxLength: 64,
      description: 'The carrier that it goes out over, or came in by.',
    }),
    priority: integer({
      minimum: 0,
      maximum: 3,
      default: 1,
      description:
        'What is more urgent has the higher number and goes out first; none waits for ever.',
    }),
    history: array(object({ status: text(), date: timestampField() }), {
      readOnly: true,
      description: 'Every status with its time.',
    }),
    /** The tally of the broadcast that made it, under which its status is counted. */
    tally: text({ internal: true }),
  },
})

/** A message as it is served. */
export type Message = InstanceOf<typeof messages>
