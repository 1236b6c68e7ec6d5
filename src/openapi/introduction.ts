import { timestamp } from '../core/timestamp.ts'

/** The announced end of a version; times in milliseconds since 1970. */
export interface LinkEnding {
  readonly deprecatedAt: number
  readonly sunsetAt: number | undefined
  readonly successor: string
}

/** Returns the text before the operations: Markdown with headings, lists and code. */
export function introduction(version: string, ending: LinkEnding | null): string {
  return `
Text messages over HTTP, notifications by signed webhooks. Everything is a resource in a
collection: the path names it, the method selects the operation, JSON represents it.

## Credentials

Send a key with every request: \`Authorization: Bearer nuncio_…\`, or HTTP Basic with the key id and
the secret. A key has scopes: \`messages:read\`, \`messages:write\`, \`*:read\`; \`*\` means everything of
its account, \`admin\` the whole installation. Writing does not imply reading.

## Lists

A list is a bare array. These parameters select instances, and all must match:

- A filter, \`<field>=<value>\`, with dots into objects: \`status.type=DELIVERED\`. A repeated
  field matches any of its values. \`null\` matches null.
- A comparison: the field with \`_ne\`, \`_gt\`, \`_gte\`, \`_lt\`, \`_lte\` or \`_like\`. In \`_like\`, \`*\`
  matches any characters.
- A search, \`search=<text>\`, over the text fields that the collection declares.

\`sort=<field>_desc\` orders the list; \`page\` and \`pageSize\`, or \`after\`, select a page. For more
pages follow \`Link: rel="next"\`: its cost does not grow with depth.

A URI of over 8,000 octets gets 414. Send its parameters in the body of a
\`POST\` to the collection with \`X-HTTP-Method-Override: GET\`, as a JSON object or as a form, or use
the method \`QUERY\`.

## Writing safely

\`PUT\` and \`DELETE\` can be retried; so can \`POST\` with \`Idempotency-Key\`. \`If-Match\` with the
\`ETag\` of a read prevents lost updates. The service ignores fields that only it sets, so that
read, change, \`PUT\` works. It rejects unknown fields by name.

## Errors

Every error is \`application/problem+json\`: \`detail\` contains the remedy, \`errors\` every fault of the
input, and the log contains \`requestId\`. \`HEAD\` works like \`GET\`. \`OPTIONS\` returns the methods of
a path in \`Allow\`; any other method gets 405. \`GET /${version}\` lists the collections.
${ending === null ? '' : endingText(version, ending)}`.trim()
}

function endingText(version: string, { deprecatedAt, sunsetAt, successor }: LinkEnding): string {
  const until = sunsetAt === undefined ? '' : `, and ends on ${day(sunsetAt)}`
  return `
## The end of this version

\`${version}\` is deprecated since ${day(deprecatedAt)}${until}. Its responses contain \`Deprecation\`
(RFC 9745) and \`Sunset\` (RFC 8594). Use \`${successor}\`.
`
}

function day(at: number): string {
  return timestamp(at).slice(0, 10)
}
