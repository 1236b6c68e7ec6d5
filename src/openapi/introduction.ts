import { timestamp } from '../core/timestamp.ts'

/** What is known of the end of a version; times in milliseconds since 1970. */
export interface LinkEnding {
  readonly deprecatedAt: number
  readonly sunsetAt: number | undefined
  readonly successor: string
}

/** What the document says before its operations: Markdown with headings, lists and code. */
export function introduction(version: string, ending: LinkEnding | null): string {
  return `
Text messages over HTTP, notifications by signed webhooks. Everything is a resource in a
collection: the path names it, the method says what to do, JSON carries it.

## Credentials

Send a key with every request: \`Authorization: Bearer nuncio_…\`, or HTTP Basic with the key id and
the secret. A key has scopes: \`messages:read\`, \`messages:write\`, \`*:read\`; \`*\` is everything of its
account, \`admin\` the whole installation. Writing does not imply reading.

## Lists

A list is a bare array. What is in it is chosen by any of these, and all must hold:

- A filter, \`<field>=<value>\`, with dots into objects: \`status.type=DELIVERED\`. A field that is
  repeated may have any of its values. \`null\` matches null.
- A comparison: the field with \`_ne\`, \`_gt\`, \`_gte\`, \`_lt\`, \`_lte\` or \`_like\`. In \`_like\`, \`*\`
  stands for any characters.
- A search, \`search=<text>\`, over the fields that the collection names.

\`sort=<field>_desc\` orders the list; \`page\` and \`pageSize\`, or \`after\`, cut it. To read on, follow
\`Link: rel="next"\`: its cost does not grow with depth.

A request whose URI has over 8,000 octets is answered 414. Send its parameters in the body of a
\`POST\` to the collection with \`X-HTTP-Method-Override: GET\`, as a JSON object or as a form, or use
the method \`QUERY\`.

## Writing safely

\`PUT\` and \`DELETE\` can be repeated; \`POST\` can with \`Idempotency-Key\`. \`If-Match\` with the \`ETag\`
that was read keeps two writers from undoing each other's work. Fields that the service sets are
passed over in what is sent, so that read, change, \`PUT\` works. Unknown fields are refused by name.

## Refusals

Whatever goes wrong is \`application/problem+json\`: the cure is in \`detail\`, every fault of the input
in \`errors\`, and \`requestId\` is what the log has it under. \`HEAD\` goes where \`GET\` goes. \`OPTIONS\`
tells in \`Allow\` what a path offers; any other method is answered 405. \`GET /${version}\` lists the
collections.
${ending === null ? '' : endingText(version, ending)}`.trim()
}

function endingText(version: string, { deprecatedAt, sunsetAt, successor }: LinkEnding): string {
  const until = sunsetAt === undefined ? '' : `, and ends on ${day(sunsetAt)}`
  return `
## The end of this version

\`${version}\` is deprecated since ${day(deprecatedAt)}${until}. Its answers say so in \`Deprecation\`
(RFC 9745) and \`Sunset\` (RFC 8594). Use \`${successor}\`.
`
}

function day(at: number): string {
  return timestamp(at).slice(0, 10)
}
