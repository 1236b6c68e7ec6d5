import { collection, type InstanceOf } from './collection.ts'
import { integer, text } from './field.ts'

/**
 * The responses stored under idempotency keys, one instance per key of a client. It has no methods, so
 * clients cannot reach it. The engine itself writes it, so it is not among the collections that an
 * installation may do without.
 */
export const idempotentResponses = collection({
  name: 'idempotentResponses',
  noun: 'response',
  description: 'The response stored under an idempotency key.',
  methods: { collection: [], instance: [] },
  fields: {
    fingerprint: text({
      description: 'Digest of the request: the same key with another one is a fault of the client.',
    }),
    response: text({ description: 'The response as JSON text.' }),
    expiresAt: integer({ indexed: true, description: 'In milliseconds since 1970.' }),
  },
})

/** A stored response. */
export type IdempotentResponse = InstanceOf<typeof idempotentResponses>
