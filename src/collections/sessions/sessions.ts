import { collection } from '../../core/declaration/collection.ts'
import { array, text, timestampField } from '../../core/declaration/field.ts'

/** A sign-in of a browser. Its cookie is shown once; the store has its digest only. */
export const sessions = collection({
  name: 'sessions',
  noun: 'session',
  description:
    'A sign-in with a key, with a code or at an OpenID provider. Its cookie replaces a key for 12 hours. ' +
    'It ends after an hour without a request, with its key, and when the scopes of the key change.',
  order: 'newestFirst',
  owned: true,
  audited: true,
  methods: { collection: ['GET', 'POST'], instance: ['GET', 'DELETE'] },
  fields: {
    key: text({
      readOnly: true,
      nullable: true,
      description: 'The key that signed in; null: a code or a person did.',
    }),
    person: text({
      readOnly: true,
      nullable: true,
      description: 'Who signed in at the OpenID provider; null: a key or a code did.',
    }),
    account: text({
      readOnly: true,
      indexed: true,
      maxLength: 64,
      description: 'The account in which it acts.',
    }),
    scopes: array(text(), { readOnly: true, description: 'What it may do.' }),
    expiresAt: timestampField({
      readOnly: true,
      indexed: true,
      description: 'When it ends at the latest.',
    }),
    code: text({
      writeOnly: true,
      maxLength: 100,
      description: 'The sign-in code that the start of the service shows, without a key.',
    }),
    digest: text({ internal: true, unique: true }),
    keyDigest: text({ internal: true }),
    usedAt: timestampField({ internal: true, nullable: true }),
  },
})
