import { collection, type InstanceOf } from '../../core/declaration/collection.ts'
import { choice, object, text, timestampField } from '../../core/declaration/field.ts'
import { messageStates } from '../messages.ts'

/** The messages between an address of the operator and one other party, computed from messages. */
export const conversations = collection({
  name: 'conversations',
  noun: 'conversation',
  description:
    'The messages between one of your addresses and one counterpart, with the last of them; those with ' +
    'the newest messages first. Lists take the filters `counterpart`, `address` and `createdAt_gte`, and ' +
    'no other order. A page may be partial: follow `rel="next"`. `messages?counterpart=` has the messages.',
  order: 'newestFirst',
  methods: { collection: ['GET'], instance: [] },
  fields: {
    counterpart: text({
      readOnly: true,
      format: 'recipient',
      description: 'The other party: `to` of sent messages, `from` of received ones.',
    }),
    address: text({
      readOnly: true,
      format: 'senderOrEmpty',
      description: 'Your address: `from` of sent messages, `to` of received ones.',
    }),
    lastMessage: object(
      {
        id: text(),
        type: choice(['SENT', 'RECEIVED']),
        body: text(),
        encoding: choice(['TEXT', 'UNICODE', 'BINARY']),
        status: object({ id: text(), type: choice(messageStates.states) }),
        createdAt: timestampField(),
      },
      {
        readOnly: true,
        description: 'The last message; `createdAt` and `updatedAt` are its times.',
      },
    ),
  },
})

/** A conversation as it is served. */
export type Conversation = InstanceOf<typeof conversations>
