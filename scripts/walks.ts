import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A path through the product that a newcomer reads. */
export interface Walk {
  readonly name: string
  /** The files of which at least one function ran during the walk. */
  readonly files: readonly string[]
}

/** The service under measurement. */
interface Running {
  request(method: string, path: string, body?: unknown): Promise<Response>
  /** Returns the functions that ran during the step. */
  follow(step: () => Promise<void>): Promise<readonly string[]>
}

/**
 * Measures the four walks in the tree at `root`. Each walk runs once in the real service, on SQLite,
 * with V8's precise coverage reset just before it. A file counts if one of its functions ran that does
 * not run in an idle service. So the figure includes files that a reader would skip, and leaves out
 * files of types.
 */
export async function measureWalks(root: string): Promise<readonly Walk[]> {
  const walks: Walk[] = []
  await withService(root, async (service) => {
    // A read and a write, so that their background work is part of the idle time.
    await service.request('POST', '/contacts', { address: '+4915112345678' })
    await service.request('GET', '/contacts')
    await sleep(startUpMs)
    const idle = new Set(await service.follow(() => sleep(idleMs)))
    const record = (name: string, functions: readonly string[]): void => {
      const files = functions.filter((ran) => !idle.has(ran)).map(fileOf)
      walks.push({ name, files: sourcesOf(root, [...new Set(files)]) })
    }
    record('filtered list', await list(service))
    record('POST → commit', await post(service))
    record('submission → SMPP → receipt', await submission(service))
    record('log record → POST to a webhook', await delivery(service))
  })
  return walks
}

/** The loops that run once after the start end within this time. */
const startUpMs = 2000

/** Longer than the pauses of most loops. */
const idleMs = 12_000

function fileOf(ran: string): string {
  return ran.slice(0, ran.lastIndexOf('#'))
}

function sourcesOf(root: string, urls: readonly string[]): readonly string[] {
  return urls
    .filter((url) => url.startsWith('file://'))
    .map((url) => new URL(url).pathname)
    .filter((path) => path.startsWith(`${root}/`))
    .map((path) => path.slice(root.length + 1))
    .filter((path) => /^(src|packages\/[^/]+\/src)\//.test(path))
    .toSorted()
}

/** A scheduled message, so that the walk ends with the commit and submits nothing. */
async function post({ request, follow }: Running): Promise<readonly string[]> {
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
  return follow(async () => {
    await request('POST', '/messages', { to: '+4915112345678', body: 'Hello', scheduledAt })
  })
}

async function submission({ request, follow }: Running): Promise<readonly string[]> {
  const smsc = await startSmsc()
  await request('PUT', '/carriers/smsc', {
    type: 'SMPP',
    settings: { host: '127.0.0.1', port: smsc.port, systemId: 'walk', password: 'walk' },
  })
  await smsc.bound
  const scheduledAt = new Date(Date.now() + 1500).toISOString()
  const message = { to: '+4915112345678', body: 'Hello', carrier: 'smsc', scheduledAt }
  await request('POST', '/messages', message)
  const files = await follow(async () => {
    await smsc.receiptTaken
    await sleep(200)
  })
  await request('DELETE', '/carriers/smsc')
  smsc.close()
  return files
}

/** The webhook waits until a batch is full, so that the walk starts after the records were written. */
async function delivery({ request, follow }: Running): Promise<readonly string[]> {
  const called = Promise.withResolvers<void>()
  const receiver = createServer((incoming, response) => {
    incoming.resume().once('end', () => {
      response.writeHead(204).end()
      called.resolve()
    })
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const url = `http://127.0.0.1:${portOf(receiver)}/`
  await request('PUT', '/webhooks/walk', { url, maxWaitMs: 3000 })
  await request('POST', '/messages', { to: '+4915112345678', body: 'Hello' })
  await sleep(1500)
  const files = await follow(async () => {
    await called.promise
    await sleep(200)
  })
  await request('DELETE', '/webhooks/walk')
  receiver.close()
  return files
}

async function list({ request, follow }: Running): Promise<readonly string[]> {
  return follow(async () => {
    await request('GET', '/messages?status.type=DELIVERED&pageSize=10&sort=createdAt_desc')
  })
}

async function withService(root: string, use: (service: Running) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'nuncio-walks-'))
  const key = `nuncio_${'walk'.repeat(9)}`
  const preload = new URL('walk-coverage.ts', import.meta.url).href
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--import',
      preload,
      '--conditions=nuncio-source',
      join(root, 'src/main.ts'),
      'serve',
    ],
    {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        NUNCIO_PORT: '0',
        NUNCIO_STORE: `sqlite:${folder}/nuncio.db`,
        NUNCIO_ADMIN_KEY: key,
        NUNCIO_LOG: 'warn',
      },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  )
  try {
    const url = await readyUrl(child)
    await use({
      request: (method, path, body) => call(`${url}/v1${path}`, key, method, body),
      follow: async (step) => {
        await ask(child, 'start')
        await step()
        return ask(child, 'take')
      },
    })
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
    await rm(folder, { recursive: true })
  }
}

async function readyUrl(child: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk)
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0]
    if (url !== undefined) return url
  }
  throw new Error(`the service did not start:\n${text}`)
}

async function ask(child: ChildProcess, message: string): Promise<readonly string[]> {
  child.send(message)
  const [files] = await once(child, 'message')
  return Array.isArray(files) ? files.map(String) : []
}

async function call(url: string, key: string, method: string, body: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const text = body === undefined ? null : JSON.stringify(body)
  const response = await fetch(url, { method, headers, body: text })
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`)
  await response.arrayBuffer()
  return response
}

/** An SMSC of the library `smpp`, which accepts every message and returns a receipt. */
async function startSmsc(): Promise<{
  readonly port: number
  readonly bound: Promise<void>
  readonly receiptTaken: Promise<void>
  close(): void
}> {
  const smpp = createRequire(import.meta.url)('smpp')
  const [bound, taken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const server = smpp.createServer((session: Session) => {
    session.on('bind_transceiver', (pdu) => {
      session.send(pdu.response())
      bound.resolve()
    })
    session.on('enquire_link', (pdu) => session.send(pdu.response()))
    session.on('unbind', (pdu) => session.send(pdu.response()))
    session.on('submit_sm', (pdu) => {
      session.send(pdu.response({ message_id: '1' }))
      const receipt = {
        esm_class: 4,
        source_addr: pdu.destination_addr,
        destination_addr: pdu.source_addr,
        short_message: 'id:1 sub:001 dlvrd:001 stat:DELIVRD err:000 text:Hello',
      }
      setTimeout(() => session.deliver_sm(receipt, () => taken.resolve()), 300)
    })
    session.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: portOf(server),
    bound: bound.promise,
    receiptTaken: taken.promise,
    close: () => server.close(),
  }
}

/** A PDU of the library `smpp`, which has no types. */
interface Pdu {
  readonly source_addr: string
  readonly destination_addr: string
  response(fields?: object): object
}

/** A session of the library `smpp`. */
interface Session {
  on(event: string, listener: (pdu: Pdu) => void): void
  send(pdu: object): void
  deliver_sm(fields: object, answered: () => void): void
}

function portOf(server: { address(): AddressInfo | string | null }): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
