import { collection, type InstanceOf } from '../core/declaration/collection.ts'
import { choice, integer, text } from '../core/declaration/field.ts'

/**
 * Unfinished work of the broadcasts of all accounts, one instance per broadcast. It has no methods,
 * so clients cannot reach it; it belongs to the installation.
 */
export const broadcastWork = collection({
  name: 'broadcastWork',
  noun: 'work',
  description: 'The unfinished work of a broadcast.',
  administratorsOnly: true,
  methods: { collection: [], instance: [] },
  fields: {
    account: text({ description: 'The account of the broadcast.' }),
    broadcast: text({ description: 'The identifier of the broadcast.' }),
    task: choice(['MAKE', 'CANCEL'], {
      description: 'Whether its messages are to be made, or those that wait to be cancelled.',
    }),
    dueAt: integer({
      indexed: true,
      description: 'When it is, or was last, to be served, in milliseconds since 1970.',
    }),
    holder: text({ nullable: true, description: 'The node that serves it.' }),
    heldUntil: integer({ description: 'Until when no other node does, as `dueAt`.' }),
    failures: integer({ nullable: true, description: 'How often in a row its slice failed.' }),
  },
})

/** Work to be done for a broadcast. */
export type BroadcastWork = InstanceOf<typeof broadcastWork>
