import { inWords } from '../component-names.ts'
import type { OpenApiParameter } from '../document.ts'
import { exampleId } from '../schemas/field-example.ts'

/** The limits of lists, as `readListRequest` has them. */
export const listLimits = { page: 1_000_000_000, pageSize: 1000, pageSizeDefault: 50 } as const

/** What a client may choose as an identifier; generated ones have this form too. */
const idPattern = '^[A-Za-z0-9_.~-]{1,64}$'

/** Parameters that operations of several collections share. */
export const sharedParameters = {
  Page: {
    name: 'page',
    in: 'query',
    description: 'Which page, from 1. One past the end is empty. It does not go with `after`.',
    schema: { type: 'integer', minimum: 1, maximum: listLimits.page },
  },
  PageSize: {
    name: 'pageSize',
    in: 'query',
    description: 'How many instances a page has.',
    schema: {
      type: 'integer',
      minimum: 1,
      maximum: listLimits.pageSize,
      default: listLimits.pageSizeDefault,
    },
  },
  After: {
    name: 'after',
    in: 'query',
    description:
      'The cursor in `Link` with `rel="next"` or `rel="prev"`: the page that comes behind, or before, at ' +
      'the same cost however deep.',
    schema: { type: 'string' },
  },
  Fields: {
    name: 'fields',
    in: 'query',
    description: 'Only these fields of the instance, and `id`: the answer then lacks the others.',
    explode: false,
    schema: { type: 'array', items: { type: 'string' } },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description: '`count=exact` counts what the filters select, into `X-Total-Count`.',
    schema: { type: 'string' },
    example: 'count=exact',
  },
  DryRun: {
    name: 'Prefer',
    in: 'header',
    description:
      '`handling=dry-run` checks the request and answers 200 with the instance as it would be, or 204 to ' +
      'DELETE, and writes nothing. A new instance would get another identifier.',
    schema: { type: 'string' },
    example: 'handling=dry-run',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'Act only on the instance as it was read: its `ETag`, or `*` for any that exists.',
    schema: { type: 'string' },
    example: '"1q5vfv2x"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` that the client has: answered 304 while it is still right.',
    schema: { type: 'string' },
    example: '"1q5vfv2x"',
  },
  CreateOnly: {
    name: 'If-None-Match',
    in: 'header',
    description: '`*` creates and never replaces: answered 412 where the instance exists.',
    schema: { type: 'string' },
    example: '*',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes a repetition safe: for 24 hours the same request under this key gets the same answer.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
    example: 'order-17-confirmation',
  },
  MethodOverride: {
    name: 'X-HTTP-Method-Override',
    in: 'header',
    description:
      '`GET` makes the body the parameters of a list, for a query too long for a URI: nothing is ' +
      'created. With a form it may be left out.',
    schema: { type: 'string', enum: ['GET'] },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description:
      'The `id` of the last event of a stream: it goes on behind it. `0`: from the beginning.',
    schema: { type: 'string' },
  },
} as const satisfies Readonly<Record<string, OpenApiParameter>>

/** The name of a shared parameter. */
export type SharedParameter = keyof typeof sharedParameters

/** An identifier in the path. */
export function idParameter(name: string, noun: string): OpenApiParameter {
  return {
    name,
    in: 'path',
    required: true,
    description: `The identifier of the ${inWords(noun)}.`,
    schema: { type: 'string', pattern: idPattern },
    example: exampleId(noun),
  }
}
