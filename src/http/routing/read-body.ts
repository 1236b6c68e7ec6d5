import { isJsonObject, type JsonObject } from '../../core/json.ts'
import { Problem } from '../../core/problem.ts'
import { parseJson } from '../../engine/json-text.ts'
import { header, mediaType, type PlainRequest, type RequestHead } from '../server/request.ts'

/** Reads the body of a request as a JSON object; throws a `Problem` with the cause. */
export function readBody(request: PlainRequest): JsonObject {
  checkCoding(request)
  checkMediaType(request)
  const value = parseJson(request.body)
  if (isJsonObject(value)) return value
  throw new Problem('invalid-request', 'The body must be a JSON object.')
}

/** Throws `unsupported-media-type` if the body is compressed. */
export function checkCoding(request: RequestHead): void {
  const codings = header(request, 'content-encoding')
  if (codings === undefined || /^[\s,]*(identity[\s,]*)*$/i.test(codings)) return
  throw new Problem(
    'unsupported-media-type',
    `The body must have no Content-Encoding; its coding is ${codings}.`,
    // The codings accepted instead (RFC 9110 sections 12.5.3 and 15.5.16).
    { headers: { 'accept-encoding': 'identity' } },
  )
}

function checkMediaType(request: RequestHead): void {
  // Fast path: nearly every request has exactly this value.
  if (header(request, 'content-type') === 'application/json') return
  const patching = request.method === 'PATCH'
  const types = patching
    ? ['application/merge-patch+json', 'application/json']
    : ['application/json']
  const given = mediaType(request)
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(header(request, 'content-type') ?? '')?.[1]
  if (types.includes(given) && (charset === undefined || /^utf-?8$/i.test(charset))) return
  const accepted = types.join(', ')
  const said = charset === undefined ? '' : ` in ${charset}`
  throw new Problem(
    'unsupported-media-type',
    `The body must be ${types.join(' or ')} in UTF-8, not ${given || 'of no type'}${said}.`,
    { headers: { [patching ? 'accept-patch' : 'accept-post']: accepted } },
  )
}
