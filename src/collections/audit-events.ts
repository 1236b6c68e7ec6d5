import { collection } from '../core/declaration/collection.ts'
import { array, choice, object, text, timestampField } from '../core/declaration/field.ts'

/** One change of what decides who may do what, or one refused request. */
export const auditEvents = collection({
  name: 'auditEvents',
  noun: 'auditEvent',
  description:
    'A change of a key, an account, a number, a carrier, a webhook, a price or a maintenance ' +
    'window, or a refused request.',
  order: 'newestFirst',
  owned: true,
  methods: { collection: ['GET'], instance: ['GET'] },
  fields: {
    date: timestampField({ readOnly: true, indexed: true, description: 'When it happened.' }),
    action: choice(['CREATED', 'REPLACED', 'CHANGED', 'DELETED', 'SIGNED_IN', 'REFUSED'], {
      readOnly: true,
      description: 'What happened. REFUSED: a request got 401 or 403.',
    }),
    actor: object(
      {
        key: text({ nullable: true }),
        account: text({ nullable: true }),
        person: text({ optional: true }),
      },
      {
        readOnly: true,
        nullable: true,
        description:
          'The key, or the session without one; `person` signed in at an OpenID provider, or was refused there: ' +
          'then without key and account. Null: no valid key.',
      },
    ),
    resource: text({ readOnly: true, description: 'The path.' }),
    fields: array(text(), {
      readOnly: true,
      description: 'Names of the fields that changed. Values are not recorded.',
    }),
    clientAddress: text({ readOnly: true, nullable: true, description: 'Address of the client.' }),
    requestId: text({ readOnly: true, nullable: true, description: 'Identifier of the request.' }),
    account: text({
      readOnly: true,
      nullable: true,
      indexed: true,
      description: 'The account that the resource, or the refused key, belongs to.',
    }),
  },
})
