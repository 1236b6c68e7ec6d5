import {
  array,
  choice,
  integer,
  map,
  object,
  text,
  type Fields,
  type ValueOf,
} from '../../core/declaration/field.ts'
import { callbackFields } from './callbacks/callback-settings.ts'
import { conditions, place } from './setting-path.ts'

const meanings = [
  'ACCEPTED',
  'REJECTED',
  'UNDELIVERABLE',
  'BLOCKED',
  'RETRY',
  'THROTTLED',
  'UNAVAILABLE',
  'UNCERTAIN',
] as const

/** Meaning of a response. */
export type EventMeaning = (typeof meanings)[number]

const template = { maxLength: 4000 } as const

const requestField = object(
  {
    method: choice(['POST', 'PUT', 'PATCH', 'GET'], { default: 'POST' }),
    url: text({ required: true, minLength: 1, maxLength: 2000 }),
    headers: map(text(template), { default: {}, maxProperties: 30 }),
    json: object({}, { open: true, nullable: true }),
    form: map(text(template), { nullable: true, maxProperties: 100 }),
    text: object(
      {
        contentType: text({ required: true, maxLength: 200 }),
        template: text({ required: true, maxLength: 20_000 }),
        escape: choice(['NONE', 'XML', 'JSON', 'URL'], { required: true }),
      },
      { nullable: true },
    ),
  },
  {
    required: true,
    description:
      'The request for a message: `method`, `url`, `headers` and one of `json`, `form` and `text`, ' +
      'with placeholders such as `{{to}}`.',
  },
)

const answersField = array(
  object({
    status: array(text({ pattern: '^[1-5]([0-9]{2}|xx)$', form: 'a status such as 201 or 4xx' }), {
      default: [],
      maxItems: 50,
    }),
    where: conditions,
    meaning: choice(meanings, { required: true }),
    id: text({ ...place, nullable: true }),
  }),
  {
    default: [],
    maxItems: 50,
    description:
      'Meanings of responses: the first match decides, by `status` and by values in the body ' +
      '(`where`). `id` is the path of the provider’s message identifier.',
  },
)

/** Settings of an HTTP carrier. */
export const httpFields = {
  request: requestField,
  basic: object(
    {
      username: text({ required: true, ...template }),
      password: text({ required: true, ...template }),
    },
    {
      nullable: true,
      description: 'HTTP Basic: user name and password, the password a `{{secret.…}}`.',
    },
  ),
  bearer: text({
    nullable: true,
    ...template,
    description: 'A bearer token, a `{{secret.…}}`.',
  }),
  parameters: map(text({ maxLength: 1000 }), {
    default: {},
    maxProperties: 50,
    description: 'Values for `{{parameter.…}}`.',
  }),
  secrets: map(text({ minLength: 1, maxLength: 4000 }), {
    writeOnly: true,
    nullable: true,
    maxProperties: 50,
    description: 'Values for `{{secret.…}}`; never in responses.',
  }),
  words: map(
    object({
      of: text({ required: true, maxLength: 60 }),
      is: map(text({ maxLength: 200 }), { required: true, maxProperties: 50 }),
    }),
    {
      default: {},
      maxProperties: 20,
      description:
        'The provider’s names of values, for `{{word.…}}`: `of` names the placeholder, `is` its values.',
    },
  ),
  answerFormat: choice(['JSON', 'FORM', 'TEXT'], {
    default: 'JSON',
    description: 'Format of response bodies; in `TEXT`, `/words/0` is the first word.',
  }),
  answers: answersField,
  longMessages: choice(['PROVIDER', 'PARTS'], {
    default: 'PROVIDER',
    description:
      'Who splits long messages: the provider, or the service with one request per part.',
  }),
  encodings: array(choice(['TEXT', 'UNICODE', 'BINARY']), {
    default: ['TEXT', 'UNICODE'],
    description: 'Supported encodings. Others end as `FAILED.REJECTED`.',
  }),
  ...callbackFields,
  window: integer({
    minimum: 1,
    maximum: 250,
    default: 10,
    description: 'Maximum requests without a response.',
  }),
  partsPerSecond: integer({
    minimum: 1,
    maximum: 100_000,
    nullable: true,
    description: 'Maximum parts per second; null: no limit.',
  }),
  timeoutMs: integer({
    minimum: 1000,
    maximum: 40_000,
    default: 20_000,
    description: 'Time limit of a request with its response.',
  }),
} as const satisfies Fields

/** The settings of a carrier over HTTP, defaults filled in. */
export type HttpSettings = {
  readonly [K in keyof typeof httpFields]: ValueOf<(typeof httpFields)[K]>
}
