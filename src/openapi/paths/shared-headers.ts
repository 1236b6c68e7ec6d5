import { refer, type Header, type OpenApiResponse } from '../document.ts'

/** Fields of answers' headers that several operations share. */
export const sharedHeaders = {
  RequestId: {
    description: 'The identifier of the request, as the log has it.',
    schema: { type: 'string' },
    example: 'request_5f3a9c01d20000001',
  },
  ETag: {
    description: 'The entity tag of the instance, for `If-Match` and `If-None-Match`.',
    schema: { type: 'string' },
    example: '"1q5vfv2x"',
  },
  Location: {
    description: 'Where the new instance is.',
    schema: { type: 'string', format: 'uri-reference' },
  },
  Link: {
    description:
      'Where the other pages are (RFC 8288): `first`, `prev`, `next`. Behind a cursor `prev` is there ' +
      'where no field of the order can be null.',
    schema: { type: 'string' },
  },
  TotalCount: {
    description: 'How many instances the filters select; only with `Prefer: count=exact`.',
    schema: { type: 'integer', minimum: 0 },
  },
  PreferenceApplied: {
    description: 'The preference that was followed (RFC 7240).',
    schema: { type: 'string' },
    example: 'count=exact',
  },
  Authenticate: {
    description: 'The schemes that are taken (RFC 9110 section 11.6.1).',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'How long to wait, in seconds.',
    schema: { type: 'integer', minimum: 0 },
    example: 5,
  },
  RateLimit: {
    description: 'How many requests are left to the key, and in how many seconds there are more.',
    schema: { type: 'string' },
    example: '"key";r=0;t=1',
  },
  RateLimitPolicy: {
    description: 'How many requests a key may make (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string' },
    example: '"key";q=100;w=10',
  },
  AcceptPost: {
    description: 'The media types that POST and PUT take.',
    schema: { type: 'string' },
  },
  AcceptEncoding: {
    description: 'The codings that a body is taken in: `identity`, none (RFC 9110 section 12.5.3).',
    schema: { type: 'string' },
    example: 'identity',
  },
  AcceptPatch: {
    description: 'The media types that PATCH takes (RFC 5789).',
    schema: { type: 'string' },
  },
} as const satisfies Readonly<Record<string, Header>>

/** The name of a shared header field. */
export type SharedHeader = keyof typeof sharedHeaders

const fieldNames: Readonly<Record<SharedHeader, string>> = {
  RequestId: 'X-Request-Id',
  ETag: 'ETag',
  Location: 'Location',
  Link: 'Link',
  TotalCount: 'X-Total-Count',
  PreferenceApplied: 'Preference-Applied',
  Authenticate: 'WWW-Authenticate',
  RetryAfter: 'Retry-After',
  RateLimit: 'RateLimit',
  RateLimitPolicy: 'RateLimit-Policy',
  AcceptPost: 'Accept-Post',
  AcceptEncoding: 'Accept-Encoding',
  AcceptPatch: 'Accept-Patch',
}

/** The header of an answer, with what every answer has. */
export function headers(
  ...names: readonly SharedHeader[]
): NonNullable<OpenApiResponse['headers']> {
  const all: readonly SharedHeader[] = [...names, 'RequestId']
  return Object.fromEntries(all.map((name) => [fieldNames[name], refer('headers', name)]))
}
