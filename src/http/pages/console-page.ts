import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { Problem } from '../../core/problem.ts'
import { asksHtml } from '../routing/check-head.ts'
import type { HtmlPage } from '../routing/edge.ts'
import { header, type PlainResponse, type RequestHead } from '../server/request.ts'
import { acceptsCoding, entityTagOf, isUnchanged } from './compressed-content.ts'

/** The path that the console is served below. */
const base = '/console'

/** Files below it have a digest of their content in their name. */
const hashedPrefix = 'assets/'

/** Hashes of styles that scripts of the console add to the page: `{"styleHashes": ["sha256-…"]}`. */
const policyFile = 'csp.json'

/** The files of a built console, as they were when the first request came. */
interface Files {
  readonly contents: ReadonlyMap<string, Uint8Array>
  readonly policy: string
}

/**
 * Serves the built console in a folder: its files, and its first page for all other paths, since those are
 * screens. Without a built console, a page says how to build it.
 */
export function consolePage(folder: string): HtmlPage {
  let files: Promise<Files | null> | null = null
  return async (request) => {
    const found = await (files ??= readFiles(folder))
    if (found === null) {
      files = null
      return notBuilt()
    }
    const name = nameOf(request.target)
    if (name !== index && found.contents.has(name)) return fileResponse(name, found, request)
    if (name.startsWith(hashedPrefix)) throw missing(name)
    return fileResponse(index, found, request)
  }
}

const index = 'index.html'

/** Returns the name of the file that a target asks for. */
function nameOf(target: string): string {
  const path = target.split('?', 1)[0] ?? ''
  return path.slice(base.length + 1)
}

/** Reads the files once: the console is small, and a file of the next build is asked for after a restart. */
async function readFiles(folder: string): Promise<Files | null> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const names = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/'))
    const read = await Promise.all(
      names.map(async (name): Promise<[string, Uint8Array]> => [
        name.replace(/^\//, ''),
        await readFile(join(folder, name)),
      ]),
    )
    const { [policyFile]: policy, ...contents } = Object.fromEntries(read)
    if (contents[index] === undefined) return null
    return { contents: new Map(Object.entries(contents)), policy: policyOf(policy) }
  } catch {
    return null
  }
}

/** Returns the policy of the page (CSP level 3): no other hosts, and no inline scripts or styles. */
function policyOf(file: Uint8Array | undefined): string {
  const { styleHashes = [] }: { styleHashes?: readonly string[] } =
    file === undefined ? {} : JSON.parse(Buffer.from(file).toString())
  const hashes = styleHashes.filter((each) => /^sha(256|384|512)-[\w+/]+={0,2}$/.test(each))
  return [
    "default-src 'none'",
    "script-src 'self'",
    ['style-src', "'self'", ...hashes.map((each) => `'${each}'`)].join(' '),
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function fileResponse(
  name: string,
  { contents, policy }: Files,
  request: RequestHead,
): PlainResponse {
  const { body, coding } = encoded(name, contents, header(request, 'accept-encoding') ?? '')
  const etag = entityTagOf(body)
  const headers = {
    'content-type': types[extname(name)] ?? 'application/octet-stream',
    'cache-control': name.startsWith(hashedPrefix)
      ? 'public, max-age=31536000, immutable'
      : 'no-cache',
    etag,
    vary: 'Accept-Encoding',
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    ...(coding === null ? {} : { 'content-encoding': coding }),
  }
  if (isUnchanged(request, etag)) return { status: 304, headers, body: null }
  return { status: 200, headers, body }
}

/** Codings of precompressed files, the smallest first. */
const codings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

function encoded(
  name: string,
  contents: ReadonlyMap<string, Uint8Array>,
  accepted: string,
): { readonly body: Uint8Array; readonly coding: string | null } {
  for (const [coding, ending] of codings) {
    const body = contents.get(name + ending)
    if (body !== undefined && acceptsCoding(accepted, coding)) return { body, coding }
  }
  return { body: contents.get(name) ?? new Uint8Array(), coding: null }
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

function missing(name: string): Problem {
  return new Problem(
    'not-found',
    `The console has no file ${name}. It was upgraded: reload the page.`,
  )
}

function notBuilt(): PlainResponse {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  }
  const body =
    '<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Nuncio</title>\n' +
    '<h1>The console is not built</h1>\n' +
    '<p>Run <code>npm run build --workspace console</code> in the folder of Nuncio, then reload this page.</p>\n' +
    '<p>The API works without it. See <a href="/docs">the reference</a>.</p></html>\n'
  return { status: 404, headers, body }
}

/** Leads browsers from the root to the console; other clients get the page given. */
export function orConsole(page: HtmlPage): HtmlPage {
  return async (request) => {
    if (asksHtml(header(request, 'accept'))) {
      return { status: 303, headers: { location: base, vary: 'Accept' }, body: null }
    }
    const response = await page(request)
    return { ...response, headers: { ...response.headers, vary: 'Accept' } }
  }
}
