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
  audited: true,
  fields: {
    name: text({ maxLength: 200, nullable: true, description: 'Name.' }),
    url: text({
      format: 'url',
      required: true,
      maxLength: 2000,
      description: 'The URL of the receiver.',
    }),
    types: array(choice(['RECEIVED', 'SENT', ...alertTypes]), {
      minItems: 1,
      uniqueItems: true,
      default: ['RECEIVED', 'SENT'],
      description: 'Types of notifications. The last two are alerts about other webhooks.',
    }),
    statuses: array(choice(sentStatuses), {
      uniqueItems: true,
      default: [...finalStatuses],
      description: 'Statuses of `SENT` messages.',
    }),
    active: boolean({
      default: true,
      description: 'Whether it receives requests. An inactive webhook’s notifications stay stored.',
    }),
    maxBatch: integer({
      minimum: 1,
      maximum: 1000,
      default: 100,
      description: 'Maximum records per request.',
    }),
    maxWaitMs: integer({
      minimum: 0,
      maximum: 10_000,
      default: 0,
      description: 'How long to wait for a full request.',
    }),
    headers: map(text({ maxLength: 4000, nullable: true }), {
      maxProperties: 20,
      default: {},
      description: 'Additional header fields. Responses omit values; null means unchanged.',
    }),
    timeoutMs: integer({
      minimum: 1000,
      maximum: 60_000,
      default: 15_000,
      description: 'Time limit of a response.',
    }),
    secret: text({
      writeOnly: true,
      nullable: true,
      pattern: '^whsec_[A-Za-z0-9+/]+={0,2}$',
      form: '"whsec_" and 24 to 64 bytes in base64',
      description: 'Signing secret, 24 to 64 bytes in base64; null: generated.',
    }),
    signatures: array(choice(['v1', 'v1a']), {
      minItems: 1,
      uniqueItems: true,
      default: ['v1'],
      description: 'Signature schemes: `v1` with the secret, `v1a` with a key pair.',
    }),
    publicKey: text({
      nullable: true,
      pattern: '^whpk_[A-Za-z0-9+/]+={0,2}$',
      form: '"whpk_" and a public key in base64, as the service shows it',
      description:
        'Public key of `v1a`. The service generates the pair; null in a PATCH: a new pair.',
    }),
    description: text({ maxLength: 1000, nullable: true, description: 'Your notes.' }),
    state: choice(['ACTIVE', 'RETRYING', 'DISABLED'], {
      readOnly: true,
      description: 'State of its deliveries.',
    }),
    stateReason: text({ readOnly: true, nullable: true, description: 'Cause of the state.' }),
    lag: integer({
      live: true,
      readOnly: true,
      description: 'Number of undelivered notifications.',
    }),
    lastSuccessAt: timestampField({
      live: true,
      readOnly: true,
      nullable: true,
      description: 'Last successful delivery.',
    }),
    nextAttemptAt: timestampField({
      live: true,
      readOnly: true,
      nullable: true,
      description: 'Next attempt, while deliveries fail.',
    }),
    /** The version of the interface that it was made in, and that its notifications are written in. */
    version: text({ internal: true }),
    /** The values of `headers`. */
    headerValues: map(text(), { internal: true, secret: true }),
    /** The secrets that sign, the newest first; an old one has the time at which it ends. */
    secrets: array(object({ secret: text(), until: timestampField({ nullable: true }) }), {
      internal: true,
      secret: true,
    }),
    /** The key pairs that sign, the newest first; an old one has the time at which it ends. */
    keyPairs: array(
      object({
        privateKey: text(),
        publicKey: text(),
        until: timestampField({ nullable: true }),
      }),
      { internal: true, secret: true },
    ),
  },
})

/** A webhook as it is served. */
export type Webhook = InstanceOf<typeof webhooks>

/** Fields of a webhook that are stored and never shown. */
export type HiddenWebhook = HiddenOf<typeof webhooks>
