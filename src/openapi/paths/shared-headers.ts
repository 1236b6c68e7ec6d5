import { refer, type Header, type OpenApiResponse } from '../document.ts'

/** Response header fields that several operations share. */
export const sharedHeaders = {
  RequestId: {
    description: 'The identifier of the request in the log.',
    schema: { type: 'string' },
    example: 'request_5f3a9c01d20000001',
  },
  ETag: {
    description: 'The entity tag of the instance, for `If-Match` and `If-None-Match`.',
    schema: { type: 'string' },
    example: '"1q5vfv2x"',
  },
  Location: {
    description: 'The URL of the new instance.',
    schema: { type: 'string', format: 'uri-reference' },
  },
  Link: {
    description:
      'The URLs of other pages (RFC 8288): `first`, `prev`, `next`. After a cursor, `prev` exists only ' +
      'if no field of the order can be null.',
    schema: { type: 'string' },
  },
  TotalCount: {
    description: 'The number of matching instances; only with `Prefer: count=exact`.',
    schema: { type: 'integer', minimum: 0 },
  },
  PreferenceApplied: {
    description: 'The preference that the service applied (RFC 7240).',
    schema: { type: 'string' },
    example: 'count=exact',
  },
  Authenticate: {
    description: 'The accepted schemes (RFC 9110 section 11.6.1).',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'The time to wait, in seconds.',
    schema: { type: 'integer', minimum: 0 },
    example: 5,
  },
  RateLimit: {
    description: 'The remaining requests of the key, and the seconds until it has more.',
    schema: { type: 'string' },
    example: '"key";r=0;t=1',
  },
  RateLimitPolicy: {
    description: 'The limit on requests of a key (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string' },
    example: '"key";q=100;w=10',
  },
  AcceptPost: {
    description: 'The media types that POST and PUT accept.',
    schema: { type: 'string' },
  },
  AcceptEncoding: {
    description: 'The accepted codings of a body: only `identity` (RFC 9110 section 12.5.3).',
    schema: { type: 'string' },
    example: 'identity',
  },
  AcceptPatch: {
    description: 'The media types that PATCH accepts (RFC 5789).',
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

/** Returns the header of a response, including the fields of every response. */
export function headers(
  ...names: readonly SharedHeader[]
): NonNullable<OpenApiResponse['headers']> {
  const all: readonly SharedHeader[] = [...names, 'RequestId']
  return Object.fromEntries(all.map((name) => [fieldNames[name], refer('headers', name)]))
}
