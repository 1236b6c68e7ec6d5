import { inWords } from '../component-names.ts'
import type { OpenApiParameter } from '../document.ts'
import { exampleId } from '../schemas/examples.ts'

/** The limits of lists, as `readListRequest` has them. */
export const listLimits = { page: 1_000_000_000, pageSize: 1000, pageSizeDefault: 50 } as const

/** Pattern of identifiers that clients choose; generated ones match it too. */
const idPattern = '^[A-Za-z0-9_.~-]{1,64}$'

/** Parameters that operations of several collections share. */
export const sharedParameters = {
  Account: {
    name: 'account',
    in: 'query',
    description: 'The account to read in, if it is not the caller’s. Takes the scope `admin`.',
    schema: { type: 'string' },
  },
  Page: {
    name: 'page',
    in: 'query',
    description: 'The page, from 1. A page after the last is empty. Not together with `after`.',
    schema: { type: 'integer', minimum: 1, maximum: listLimits.page },
  },
  PageSize: {
    name: 'pageSize',
    in: 'query',
    description: `The number of instances on a page; ${listLimits.pageSizeDefault} if it is missing.`,
    schema: {
      type: 'integer',
      minimum: 1,
      maximum: listLimits.pageSize,
    },
  },
  After: {
    name: 'after',
    in: 'query',
    description:
      'The cursor in `Link` with `rel="next"` or `rel="prev"`: the following or preceding page, at ' +
      'constant cost.',
    schema: { type: 'string' },
  },
  Fields: {
    name: 'fields',
    in: 'query',
    description: 'Only these fields of the instance, and `id`.',
    explode: false,
    schema: { type: 'array', items: { type: 'string' } },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description: '`count=exact` returns the number of matching instances in `X-Total-Count`.',
    schema: { type: 'string' },
    example: 'count=exact',
  },
  DryRun: {
    name: 'Prefer',
    in: 'header',
    description:
      '`handling=dry-run` checks the request and writes nothing. The response is 200 with the instance that a write ' +
      'would store, or 204 for DELETE. A new instance would get another identifier.',
    schema: { type: 'string' },
    example: 'handling=dry-run',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The `ETag` that the instance must have, or `*` if it must exist.',
    schema: { type: 'string' },
    example: '"1q5vfv2x"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` that the client has: gets 304 while it is current.',
    schema: { type: 'string' },
    example: '"1q5vfv2x"',
  },
  CreateOnly: {
    name: 'If-None-Match',
    in: 'header',
    description: '`*` creates and never replaces: gets 412 if the instance exists.',
    schema: { type: 'string' },
    example: '*',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes a retry safe: for 24 hours the same request under this key gets the same response.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
    example: 'order-17-confirmation',
  },
  MethodOverride: {
    name: 'X-HTTP-Method-Override',
    in: 'header',
    description:
      '`GET` makes the body the parameters of a list, for a query too long for a URI: it creates ' +
      'nothing. Optional with a form.',
    schema: { type: 'string', enum: ['GET'] },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description:
      'The `id` of the last event, after which the stream resumes; `0` for the beginning.',
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
