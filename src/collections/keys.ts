import { collection, type HiddenOf, type InstanceOf } from '../core/collection.ts'
import { array, text, timestampField } from '../core/field.ts'

/** An API key. Its secret is shown once, in the answer that made it; the store has its digest only. */
export const keys = collection({
  name: 'keys',
  noun: 'key',
  description: 'An API key; its secret is shown once, in the answer that made it.',
  searchedBy: ['name'],
  owned: true,
  fields: {
    name: text({ maxLength: 200, nullable: true, description: 'What it is for.' }),
    scopes: array(text({ pattern: '^(\\*|admin|(\\*|[A-Za-z][A-Za-z0-9]*):(read|write))$' }), {
      required: true,
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'What it may do: `messages:read`, `messages:write`, `*:read`, `*`, `admin`.',
    }),
    account: text({
      nullable: true,
      indexed: true,
      maxLength: 64,
      description: 'Whose key it is. Only an administrator may name an account other than its own.',
    }),
    expiresAt: timestampField({ nullable: true, description: 'When it stops working.' }),
    lastUsedAt: timestampField({
      live: true,
      readOnly: true,
      nullable: true,
      description: 'When it was last used, to the minute.',
    }),
    digest: text({ internal: true, indexed: true }),
  },
})

/** A key as it is served. */
export type ApiKey = InstanceOf<typeof keys>

/** What is kept of a key and never shown: the SHA-256 of its secret. */
export type HiddenKey = HiddenOf<typeof keys>
