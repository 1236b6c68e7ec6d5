import {
  collection,
  type HiddenOf,
  type InstanceOf,
  lifecycle,
} from '../core/declaration/collection.ts'
import {
  array,
  boolean,
  choice,
  integer,
  number,
  object,
  text,
  timestampField,
} from '../core/declaration/field.ts'

/**
 * States of a broadcast. DONE: every recipient has a message or was skipped. FAILED: a fault of the
 * service prevents the rest.
 */
export const broadcastStates = lifecycle({
  SCHEDULED: ['RUNNING', 'FAILED', 'CANCELLED'],
  RUNNING: ['PAUSED', 'DONE', 'FAILED', 'CANCELLED'],
  PAUSED: ['RUNNING', 'CANCELLED'],
  DONE: ['CANCELLED'],
  FAILED: ['RUNNING', 'CANCELLED'],
  CANCELLED: [],
})

/** The state of a broadcast. */
export type BroadcastState = (typeof broadcastStates.states)[number]

/** Why a broadcast is in its state, where the client has not asked for it. */
export const stateReasons = [
  'INSUFFICIENT_CREDITS',
  'SENDER_REFUSED',
  'CARRIER_GONE',
  'EXPIRED',
  'GROUP_GONE',
  'INTERNAL_ERROR',
] as const

/** Reasons for which a recipient gets no message, as they are counted. */
export const skipReasons = [
  'duplicate',
  'optedOut',
  'missingValue',
  'tooLong',
  'unencodable',
  'contactGone',
] as const

/** A reason for which a recipient gets no message. */
export type SkipReason = (typeof skipReasons)[number]

/** The most entries of each list of recipients. More are the members of a group. */
export const listedMax = 10_000

const counted = (description: string) => integer({ default: 0, description })

/** One text to many recipients. */
export const broadcasts = collection({
  name: 'broadcasts',
  noun: 'broadcast',
  description: 'One text to many recipients, each of whom gets a message.',
  searchedBy: ['name'],
  fields: {
    name: text({ maxLength: 200, nullable: true, description: 'Name.' }),
    from: text({
      format: 'sender',
      nullable: true,
      description: 'The sender; null: the default sender of the service.',
    }),
    to: object(
      {
        addresses: array(text({ format: 'recipient' }), {
          maxItems: listedMax,
          default: [],
          description: 'Telephone numbers.',
        }),
        contacts: array(text({ minLength: 1, maxLength: 64 }), {
          maxItems: listedMax,
          default: [],
          description: 'Identifiers of contacts.',
        }),
        group: text({
          nullable: true,
          minLength: 1,
          maxLength: 64,
          description: 'The identifier of a group: all its contacts.',
        }),
      },
      { required: true, description: 'The recipients: one or several of these.' },
    ),
    body: text({
      required: true,
      minLength: 1,
      maxLength: 40_000,
      description:
        'The text, with placeholders such as `{{name}}`, `{{address}}` and `{{attributes.city}}`.',
    }),
    encoding: choice(['TEXT', 'UNICODE', 'BINARY'], {
      nullable: true,
      description: 'As in a message; null: chosen for each message.',
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
    userSuppliedId: text({
      minLength: 1,
      maxLength: 64,
      nullable: true,
      description: 'Your identifier, copied to every message.',
    }),
    scheduledAt: timestampField({
      nullable: true,
      description: 'When to start; at most two years ahead.',
    }),
    validUntil: timestampField({
      nullable: true,
      description: 'End of the messages’ validity; later no messages are created.',
    }),
    maxParts: integer({
      minimum: 1,
      maximum: 255,
      default: 10,
      description: 'Maximum parts of a message. Recipients whose message has more are skipped.',
    }),
    carrier: text({
      nullable: true,
      maxLength: 64,
      description: 'The carrier of its messages; null: by routes.',
    }),
    priority: integer({
      minimum: 0,
      maximum: 3,
      default: 0,
      description: 'The priority of its messages. Other messages have 1 by default.',
    }),
    state: choice(broadcastStates.states, {
      readOnly: true,
      indexed: true,
      description:
        'Progress. `DONE`: all messages are created. `FAILED`: faults of the service stopped it.',
    }),
    stateReason: choice(stateReasons, {
      readOnly: true,
      nullable: true,
      description: 'Why the service paused or ended it.',
    }),
    startedAt: timestampField({ readOnly: true, nullable: true, description: 'When it started.' }),
    endedAt: timestampField({
      readOnly: true,
      nullable: true,
      description: 'When the last message was created, or it was cancelled.',
    }),
    estimate: object(
      {
        recipients: integer({ description: 'Number of recipients in the lists and the group.' }),
        messages: integer({ description: 'Number of messages.' }),
        parts: integer({ description: 'Total parts.' }),
        creditCost: number({ description: 'Total cost in credits.' }),
        exact: boolean({
          description: 'False if it was extrapolated from the first 500 recipients.',
        }),
        skipped: array(
          object({
            reason: choice(skipReasons),
            recipients: integer({ description: 'Number of recipients.' }),
            addresses: array(text(), { description: 'The first ten of them.' }),
          }),
          { default: [], description: 'Recipients that get no message, by reason.' },
        ),
      },
      { readOnly: true, description: 'Estimate at its creation or last change.' },
    ),
    recipients: object(
      {
        seen: counted('Recipients processed so far.'),
        messages: counted('Those for whom a message was made.'),
        duplicate: counted('Skipped: their address has its message already.'),
        optedOut: counted('Skipped: they want no messages from this sender.'),
        missingValue: counted('Skipped: a placeholder has neither value nor text in its place.'),
        tooLong: counted('Skipped: the message would have too many parts.'),
        unencodable: counted('Skipped: the message does not fit the encoding that was asked for.'),
        contactGone: counted('Skipped: the contact was deleted.'),
      },
      { readOnly: true, description: 'Results by recipient so far.' },
    ),
    creditCost: number({
      readOnly: true,
      description: 'Total cost of the messages so far, in credits.',
    }),
    messageCounts: object(
      {
        scheduled: integer(),
        accepted: integer(),
        sent: integer(),
        delivered: integer(),
        failed: integer(),
        unknown: integer(),
        cancelled: integer(),
      },
      { live: true, readOnly: true, description: 'Number of its messages by status.' },
    ),
    /** Under which its messages are counted: no other broadcast ever has it. */
    tally: text({ internal: true }),
    /** The request that created it, as `correlationText`. */
    correlation: text({ internal: true }),
    /** Progress of the broadcast. */
    place: object({}, { open: true, internal: true }),
  },
})

/** Links between a broadcast and its messages. Clients see the messages themselves. */
export const broadcastMessages = collection({
  name: 'messages',
  noun: 'message',
  description: 'A message of the broadcast.',
  parent: 'broadcasts',
  membersOf: 'messages',
  methods: { collection: ['GET'], instance: ['GET'] },
  fields: {
    /** An address gets one message, even if that message was deleted. */
    to: text({ readOnly: true, indexed: true }),
  },
})

/** A broadcast as it is served. */
export type Broadcast = Omit<InstanceOf<typeof broadcasts>, 'messageCounts'>

/** Fields of a broadcast that are stored and never shown. */
export type HiddenBroadcast = HiddenOf<typeof broadcasts>
