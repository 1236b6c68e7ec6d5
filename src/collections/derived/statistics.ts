import { collection, type InstanceOf } from '../../core/declaration/collection.ts'
import { choice, integer, number, text, timestampField } from '../../core/declaration/field.ts'
import { messageStates } from '../messages.ts'

/** The lengths of the periods that messages are counted in. */
export const resolutions = ['MINUTE', 'HOUR'] as const

/** The length of a period. */
export type Resolution = (typeof resolutions)[number]

/** Numbers of messages that entered a status within a period, derived from the notification log. */
export const statistics = collection({
  name: 'statistics',
  noun: 'statistic',
  description:
    'How many messages of an account entered a status within a minute or an hour, by carrier. At most ' +
    'five seconds late. Name a `resolution`: hours repeat what their minutes count. Minutes are stored ' +
    'for 7 days, hours for 400.',
  order: 'newestFirst',
  owned: true,
  methods: { collection: ['GET'], instance: ['GET'] },
  fields: {
    date: timestampField({
      readOnly: true,
      indexed: true,
      description: 'When the minute or hour began.',
    }),
    resolution: choice(resolutions, { readOnly: true, description: 'The length of the period.' }),
    status: choice(messageStates.states, {
      readOnly: true,
      description: 'The status type that the messages entered.',
    }),
    carrier: text({
      readOnly: true,
      nullable: true,
      description: 'The carrier of the messages at that time; null: none was chosen yet.',
    }),
    messages: integer({ readOnly: true, description: 'Number of messages.' }),
    parts: integer({ readOnly: true, description: 'Sum of their parts.' }),
    credits: number({ readOnly: true, description: 'Sum of their costs in credits.' }),
    account: text({
      readOnly: true,
      nullable: true,
      indexed: true,
      description: 'The account of the messages.',
    }),
    /** The end of its retention, in milliseconds since 1970. */
    expiresAt: integer({ internal: true, indexed: true }),
  },
})

/** A count as it is served. */
export type Statistic = InstanceOf<typeof statistics>

/**
 * Progress of the count over an account's log, one instance per account. It has no methods, so clients
 * cannot reach it.
 */
export const statisticsProgress = collection({
  name: 'statisticsProgress',
  noun: 'statisticsProgress',
  description: 'How far the log of an account is counted.',
  methods: { collection: [], instance: [] },
  fields: {
    position: text({ description: 'The log position of the last entry that is counted.' }),
  },
})
