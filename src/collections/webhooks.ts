import { collection, type HiddenOf, type InstanceOf } from '../core/declaration/collection.ts'
import {
  array,
  boolean,
  choice,
  integer,
  map,
  object,
  text,
  timestampField,
} from '../core/declaration/field.ts'
import { alertTypes } from '../core/ports/notification-log.ts'
import { finalStatuses, sentStatuses } from './messages.ts'

/** One receiver of notifications. */
export const webhooks = collection({
  name: 'webhooks',
  noun: 'webhook',
  description: 'A receiver of notifications.',
  searchedBy: ['name'],
  fields: {
    name: text({ maxLength: 200, nullable: true, description: 'What it is called.' }),
    url: text({ format: 'url', required: true, maxLength: 2000, description: 'Where to POST to.' }),
    types: array(choice(['RECEIVED', 'SENT', ...alertTypes]), {
      minItems: 1,
      uniqueItems: true,
      default: ['RECEIVED', 'SENT'],
      description:
        'The types of notification that it is sent. The last two tell of other webhooks.',
    }),
    statuses: array(choice(sentStatuses), {
      uniqueItems: true,
      default: [...finalStatuses],
      description: 'The statuses of a `SENT` message that it is sent.',
    }),
    active: boolean({
      default: true,
      description: 'Whether it is sent anything. While it is not, its notifications are kept.',
    }),
    maxBatch: integer({
      minimum: 1,
      maximum: 1000,
      default: 100,
      description: 'The most records in one request.',
    }),
    maxWaitMs: integer({
      minimum: 0,
      maximum: 10_000,
      default: 0,
      description: 'How long to wait for a request to fill up.',
    }),
    headers: map(text({ maxLength: 4000, nullable: true }), {
      maxProperties: 20,
      default: {},
      description: 'Header fields to send along. Values are never shown: null means unchanged.',
    }),
    timeoutMs: integer({
      minimum: 1000,
      maximum: 60_000,
      default: 15_000,
      description: 'How long an answer may take.',
    }),
    secret: text({
      writeOnly: true,
      nullable: true,
      pattern: '^whsec_[A-Za-z0-9+/]+={0,2}$',
      form: '"whsec_" and 24 to 64 bytes in base64',
      description: 'The signing secret, 24 to 64 bytes in base64. Null makes a new one.',
    }),
    signatures: array(choice(['v1', 'v1a']), {
      minItems: 1,
      uniqueItems: true,
      default: ['v1'],
      description:
        'The schemes that its requests are signed by: `v1` with the secret, `v1a` with a key pair.',
    }),
    publicKey: text({
      nullable: true,
      pattern: '^whpk_[A-Za-z0-9+/]+={0,2}$',
      form: '"whpk_" and a public key in base64, as the service shows it',
      description:
        'The public half of the key pair that signs `v1a`; the service makes it. Null in a PATCH makes a new one.',
    }),
    description: text({ maxLength: 1000, nullable: true, description: 'Notes of your own.' }),
    state: choice(['ACTIVE', 'RETRYING', 'DISABLED'], {
      readOnly: true,
      description: 'How its deliveries fare.',
    }),
    stateReason: text({ readOnly: true, nullable: true, description: 'Why it is in this state.' }),
    lag: integer({
      live: true,
      readOnly: true,
      description: 'How many notifications are undelivered.',
    }),
    lastSuccessAt: timestampField({
      live: true,
      readOnly: true,
      nullable: true,
      description: 'When it last accepted a delivery.',
    }),
    nextAttemptAt: timestampField({
      live: true,
      readOnly: true,
      nullable: true,
      description: 'When the next attempt is made, while deliveries fail.',
    }),
    /** The version of the interface that it was made in, and that its notifications are written in. */
    version: text({ internal: true }),
    /** The values of `headers`. */
    headerValues: map(text(), { internal: true }),
    /** The secrets that sign, the newest first; an old one has the time at which it ends. */
    secrets: array(object({ secret: text(), until: timestampField({ nullable: true }) }), {
      internal: true,
    }),
    /** The key pairs that sign, the newest first; an old one has the time at which it ends. */
    keyPairs: array(
      object({
        privateKey: text(),
        publicKey: text(),
        until: timestampField({ nullable: true }),
      }),
      { internal: true },
    ),
  },
})

/** A webhook as it is served. */
export type Webhook = InstanceOf<typeof webhooks>

/** Fields of a webhook that are stored and never shown. */
export type HiddenWebhook = HiddenOf<typeof webhooks>
