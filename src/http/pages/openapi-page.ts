import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { HtmlPage } from '../routing/edge.ts'
import { header, type PlainResponse } from '../server/request.ts'
import { acceptsCoding } from '../routing/check-accept.ts'
import { entityTagOf, isUnchanged } from './entity-tag.ts'

/** The document, as it is and compressed. */
interface Codings {
  readonly plain: Uint8Array
  readonly compressed: Uint8Array
}

/**
 * Serves an OpenAPI document, which the console reads at each visit: compressed, as it is large, and not
 * again to a client that has it. gzip, since browsers take brotli by TLS only.
 */
export function openApiPage(
  read: () => Promise<string>,
  versionHeaders: PlainResponse['headers'],
): HtmlPage {
  let made: Promise<Codings> | null = null
  return async (request) => {
    const { plain, compressed } = await (made ??= read().then(compress))
    const isCompressed = acceptsCoding(header(request, 'accept-encoding') ?? '', 'gzip')
    const body = isCompressed ? compressed : plain
    const headers = {
      ...versionHeaders,
      vary: 'Accept-Encoding',
      etag: entityTagOf(body),
      ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
    }
    if (isUnchanged(request, headers.etag)) return { status: 304, headers, body: null }
    return { status: 200, headers, body }
  }
}

async function compress(text: string): Promise<Codings> {
  const plain = Buffer.from(text)
  return { plain, compressed: await promisify(gzip)(plain) }
}
