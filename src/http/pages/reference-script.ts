import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { HtmlPage } from '../routing/edge.ts'
import { header } from '../server/request.ts'
import { acceptsCoding } from '../routing/check-accept.ts'
import { entityTagOf, isUnchanged } from './entity-tag.ts'

/**
 * Serves a script that is stored compressed with brotli. It is read on the first request, since most
 * services never show their reference.
 */
export function compressedScript(file: URL): HtmlPage {
  let read: Promise<Uint8Array> | null = null
  return async (request) => {
    const compressed = await (read ??= readFile(file))
    const etag = entityTagOf(compressed)
    const headers = {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=86400',
      vary: 'Accept-Encoding',
      etag,
    }
    if (isUnchanged(request, etag)) return { status: 304, headers, body: null }
    if (acceptsCoding(header(request, 'accept-encoding') ?? '', 'br')) {
      return { status: 200, headers: { ...headers, 'content-encoding': 'br' }, body: compressed }
    }
    // Old clients only: a browser that reaches the service without TLS may not accept brotli.
    const body = await promisify(brotliDecompress)(compressed)
    return { status: 200, headers: { ...headers, etag: entityTagOf(body) }, body }
  }
}
