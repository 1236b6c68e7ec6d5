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
import { conditions, pattern, place, separator, source } from '../setting-path.ts'

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

const nullableSource = text({ ...source, nullable: true })

const receiptField = object(
  {
    id: text({ ...source, required: true }),
    separator,
    status: text({ ...source, required: true }),
    statuses: map(choice(states), { required: true, maxProperties: 200 }),
    reason: nullableSource,
    reasonPattern: pattern,
    code: nullableSource,
    reasons: map(choice(states), { default: {}, maxProperties: 500 }),
  },
  { nullable: true },
)

const messageField = object(
  {
    id: nullableSource,
    from: text({ ...source, required: true }),
    to: text({ ...source, required: true }),
    body: text({ ...source, required: true }),
    numberOfParts: nullableSource,
    digits: boolean({ default: false }),
  },
  { nullable: true },
)

const signatureField = object(
  {
    header: text({ required: true, minLength: 1, maxLength: 100 }),
    algorithm: choice(['SHA1', 'SHA256', 'SHA512', 'ED25519', 'ECDSA_SHA256', 'RSA_SHA256'], {
      default: 'SHA256',
    }),
    encoding: choice(['HEX', 'BASE64'], { default: 'HEX' }),
    prefix: text({ default: '', maxLength: 50 }),
    key: text({ required: true, maxLength: 200 }),
    content: text({ default: '{{body}}', maxLength: 500 }),
  },
  { nullable: true },
)

const jwtField = object(
  {
    header: text({ default: 'Authorization', minLength: 1, maxLength: 100 }),
    algorithm: choice(['HS256', 'RS256', 'ES256', 'EdDSA'], { default: 'HS256' }),
    key: text({ required: true, maxLength: 200 }),
    bodyDigest: text({ nullable: true, maxLength: 100 }),
    claims: map(text({ maxLength: 500 }), { default: {}, maxProperties: 10 }),
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
      method: choice(['POST', 'GET'], { default: 'POST' }),
      events: text({ ...place, default: '' }),
      where: conditions,
      receipt: receiptField,
      message: messageField,
      ignore: boolean({ default: false }),
      confirm: object(
        {
          url: text({ ...source, required: true }),
          host: text({ required: true, minLength: 1, maxLength: 200 }),
        },
        { nullable: true },
      ),
    }),
    {
      default: [],
      maxItems: 20,
      description:
        'Callbacks below `/v1/carriers/{id}/callbacks/`: `events` is the path of the events, ' +
        '`receipt` or `message` their content; `ignore` accepts events without effect, `confirm` ' +
        'requests the URL that confirms a subscription.',
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
      jwt: jwtField,
    },
    {
      nullable: true,
      description:
        'Authentication of the provider: `query`, `header`, `basic`, `signature`, `jwt`; all declared ' +
        'parts must match.',
    },
  ),
  callbackFormat: choice(['AUTO', 'JSON', 'FORM'], {
    default: 'AUTO',
    description: 'Format of callbacks; `AUTO`: as their content type says.',
  }),
  callbackChallenge: object(
    {
      parameter: text({ required: true, minLength: 1, maxLength: 100 }),
      value: text({ required: true, maxLength: 500 }),
      answer: text({ required: true, minLength: 1, maxLength: 100 }),
    },
    {
      nullable: true,
      description:
        'A GET by which a provider tests a callback: if the query has `parameter` with `value`, the ' +
        'response is the text of the parameter `answer`.',
    },
  ),
  callbackAnswer: object(
    {
      status: integer({ minimum: 200, maximum: 299, default: 200 }),
      contentType: text({ nullable: true, maxLength: 200 }),
      body: text({ nullable: true, maxLength: 4000 }),
    },
    {
      default: { status: 200, contentType: null, body: null },
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
