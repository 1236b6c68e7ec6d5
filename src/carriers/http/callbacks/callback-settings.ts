import {
  array,
  boolean,
  choice,
  integer,
  map,
  object,
  text,
  type Fields,
  type ValueOf,
} from '../../../core/declaration/field.ts'
import { conditions, place } from '../setting-path.ts'

/** Meanings of a provider's state. Those from UNDELIVERABLE on are details of FAILED. */
export const states = [
  'DELIVERED',
  'ON_ITS_WAY',
  'UNKNOWN',
  'UNDELIVERABLE',
  'EXPIRED',
  'REJECTED',
  'BLOCKED',
  'HANDSET_ERROR',
] as const

const nullablePlace = text({ ...place, nullable: true })

const receiptField = object(
  {
    id: text({ ...place, required: true }),
    status: text({ ...place, required: true }),
    statuses: map(choice(states), { required: true, maxProperties: 200 }),
    reason: nullablePlace,
    reasons: map(choice(states), { default: {}, maxProperties: 500 }),
  },
  { nullable: true },
)

const messageField = object(
  {
    id: nullablePlace,
    from: text({ ...place, required: true }),
    to: text({ ...place, required: true }),
    body: text({ ...place, required: true }),
    numberOfParts: nullablePlace,
    digits: boolean({ default: false }),
  },
  { nullable: true },
)

const signatureField = object(
  {
    header: text({ required: true, minLength: 1, maxLength: 100 }),
    algorithm: choice(['SHA1', 'SHA256', 'SHA512'], { default: 'SHA256' }),
    encoding: choice(['HEX', 'BASE64'], { default: 'HEX' }),
    prefix: text({ default: '', maxLength: 50 }),
    key: text({ required: true, maxLength: 200 }),
    content: text({ default: '{{body}}', maxLength: 500 }),
  },
  { nullable: true },
)

const pair = object(
  {
    name: text({ required: true, minLength: 1, maxLength: 100 }),
    value: text({ required: true, maxLength: 500 }),
  },
  { nullable: true },
)

/** Settings of an HTTP carrier for the provider's callbacks. */
export const callbackFields = {
  publicUrl: text({
    format: 'url',
    nullable: true,
    maxLength: 500,
    description:
      'URL of this service for the provider, such as `https://sms.example.com`: for ' +
      '`{{callback.…}}` and signatures.',
  }),
  callbacks: array(
    object({
      name: text({
        required: true,
        pattern: '^[a-z][a-zA-Z0-9-]{0,39}$',
        form: 'a name such as receipts',
      }),
      events: text({ ...place, default: '' }),
      where: conditions,
      receipt: receiptField,
      message: messageField,
    }),
    {
      default: [],
      maxItems: 20,
      description:
        'Callbacks below `/v1/carriers/{id}/callbacks/`: `events` is the path of the events, ' +
        '`receipt` or `message` their content.',
    },
  ),
  callbackAuthentication: object(
    {
      query: pair,
      header: pair,
      basic: object(
        {
          username: text({ required: true, maxLength: 200 }),
          password: text({ required: true, maxLength: 500 }),
        },
        { nullable: true },
      ),
      signature: signatureField,
    },
    {
      nullable: true,
      description:
        'Authentication of the provider: `query`, `header`, `basic`, `signature`; all declared parts must match.',
    },
  ),
  callbackAnswer: object(
    {
      status: integer({ minimum: 200, maximum: 299, default: 204 }),
      contentType: text({ nullable: true, maxLength: 200 }),
      body: text({ nullable: true, maxLength: 4000 }),
    },
    {
      default: { status: 204, contentType: null, body: null },
      description: 'Response to a callback after its events are stored.',
    },
  ),
} as const satisfies Fields

/** One of the callbacks of a carrier. */
export type DeclaredCallback = ValueOf<(typeof callbackFields)['callbacks']>[number]

/** Authentication of a carrier's callbacks. */
export type CallbackAuthentication = NonNullable<
  ValueOf<(typeof callbackFields)['callbackAuthentication']>
>
