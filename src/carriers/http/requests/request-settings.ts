import {
  array,
  choice,
  integer,
  map,
  object,
  text,
  type ValueOf,
} from '../../../core/declaration/field.ts'
import { memberPath } from '../setting-path.ts'

const template = { maxLength: 4000 } as const

const requestMembers = {
  method: choice(['POST', 'PUT', 'PATCH', 'GET'], { default: 'POST' }),
  url: text({ required: true, minLength: 1, maxLength: 2000 }),
  query: map(text(template), { default: {}, maxProperties: 100 }),
  headers: map(text(template), { default: {}, maxProperties: 30 }),
  json: object({}, { open: true, nullable: true }),
  form: map(text(template), { nullable: true, maxProperties: 100 }),
  multipart: map(text(template), { nullable: true, maxProperties: 100 }),
  text: object(
    {
      contentType: text({ required: true, maxLength: 200 }),
      template: text({ required: true, maxLength: 20_000 }),
      escape: choice(['NONE', 'XML', 'JSON', 'URL'], { required: true }),
    },
    { nullable: true },
  ),
} as const

/** Settings of an HTTP carrier for its requests. */
export const requestFields = {
  request: object(requestMembers, {
    required: true,
    description:
      'The request for a message: `method`, `url`, `query`, `headers` and one of `json`, `form`, ' +
      '`multipart` and `text`, with placeholders such as `{{to}}`.',
  }),
  variants: array(
    object({
      when: map(array(text({ maxLength: 200 }), { minItems: 1, maxItems: 200 }), {
        required: true,
        maxProperties: 10,
      }),
      request: object(requestMembers, { required: true }),
    }),
    {
      default: [],
      maxItems: 10,
      description:
        'Other requests for some messages: the first replaces `request` whose placeholders in `when` ' +
        'have listed values.',
    },
  ),
  batch: object(
    {
      size: integer({ minimum: 2, maximum: 1000, required: true }),
      items: text({ ...memberPath, required: true }),
      results: text({ ...memberPath, required: true }),
      waitMs: integer({ minimum: 0, maximum: 1000, default: 20 }),
    },
    {
      nullable: true,
      description:
        'Several messages in one request: up to `size` that arrive within `waitMs`. `items` is the path ' +
        'of the array of messages in `json`, `results` that of their results in the response.',
    },
  ),
  words: map(
    object({
      of: text({ required: true, maxLength: 60 }),
      is: map(text({ maxLength: 200 }), { required: true, maxProperties: 50 }),
    }),
    {
      default: {},
      maxProperties: 20,
      description:
        'The provider’s names of values, for `{{word.…}}`: `of` names the placeholder, `is` its ' +
        'values. They may have placeholders.',
    },
  ),
} as const

/** A declared request. */
export type DeclaredRequest = ValueOf<(typeof requestFields)['request']>
