import {
  array,
  choice,
  integer,
  object,
  text,
  type Fields,
  type ValueOf,
} from '../../core/declaration/field.ts'
import { callbackFields } from './callbacks/callback-settings.ts'
import { credentialFields } from './credentials/credential-settings.ts'
import { requestFields } from './requests/request-settings.ts'
import { conditions, pattern, place, separator } from './setting-path.ts'

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

const answersField = array(
  object({
    status: array(text({ pattern: '^[1-5]([0-9]{2}|xx)$', form: 'a status such as 201 or 4xx' }), {
      default: [],
      maxItems: 50,
    }),
    where: conditions,
    meaning: choice(meanings, { required: true }),
    id: text({ ...place, nullable: true }),
    idPattern: pattern,
    separator,
    reason: text({ ...place, nullable: true }),
    reasonPattern: pattern,
  }),
  {
    default: [],
    maxItems: 50,
    description:
      'Meanings of responses: the first match decides, by `status` and by values in the body ' +
      '(`where`). `id` is the path of the provider’s message identifier, or of a text in which ' +
      '`idPattern` finds it; `reason` is that of the code of a refusal. An answer in which the pattern ' +
      'finds nothing does not match.',
  },
)

/** Settings of an HTTP carrier. */
export const httpFields = {
  ...requestFields,
  ...credentialFields,
  answerFormat: choice(['JSON', 'FORM', 'TEXT'], {
    default: 'JSON',
    description:
      'Format of response bodies; in `TEXT`, `/text` is the whole body and `/words/0` its first word.',
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
