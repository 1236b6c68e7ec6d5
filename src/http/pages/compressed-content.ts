import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress, gzip } from 'node:zlib'
import type { HtmlPage } from '../routing/edge.ts'
import { header, type PlainResponse, type RequestHead } from '../server/request.ts'

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

/** Reads `Accept-Encoding` (RFC 9110 section 12.5.3): a weight of 0 refuses a coding. */
export function acceptsCoding(accepted: string, coding: string): boolean {
  return accepted
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
    .some((each) => new RegExp(`^${coding}\\s*(;\\s*q=(1|0\\.0*[1-9]).*)?$`).test(each))
}

const tags = new WeakMap<Uint8Array, string>()

/** Returns the strong entity tag of a file. */
export function entityTagOf(content: Uint8Array): string {
  const known = tags.get(content)
  if (known !== undefined) return known
  const tag = `"${hash('sha256', content, 'base64url').slice(0, 22)}"`
  tags.set(content, tag)
  return tag
}

/** Returns true if the client has the content with this tag. */
export function isUnchanged(request: RequestHead, tag: string): boolean {
  const known = header(request, 'if-none-match')?.split(',') ?? []
  return known.some((each) => each.trim().replace(/^W\//, '') === tag)
}
