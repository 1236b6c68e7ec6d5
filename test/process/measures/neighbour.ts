import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aMessage } from '../../../bench/rows.ts'
import { messages } from '../../../src/collections/messages.ts'
import { accountId } from '../../../src/core/account.ts'
import type { Store } from '../../../src/core/ports/store.ts'
import { standardOffer } from '../../../src/wiring/wire.ts'
import { testDatabase } from '../../support/postgres/database.ts'
import { end, headers, say, startService } from './parts/programs.ts'

/**
 * `npm run chaos:neighbour [rows] [seconds] [sqlite|postgres]`: measures how long a GET of one account takes
 * while eight clients of another sort, search and count over so many messages. Fails if its p99 exceeds
 * 60 ms and ten times the quiet p99.
 */
const rows = Number(process.argv[2] ?? 330_000)
const seconds = Number(process.argv[3] ?? 10)
const kind = process.argv[4] ?? 'sqlite'

const clients = 8
const factorMax = 10
const p99MaxMs = 60
const crowd = accountId('crowd')

const folder = mkdtempSync(join(tmpdir(), 'nuncio-neighbour-'))
const database = kind === 'postgres' ? await testDatabase() : null
const url = database?.url ?? `sqlite:${folder}/nuncio.db`
await fill()
const service = await startService(folder, { NUNCIO_STORE: url })
const base = `${service.url}/v1`
try {
  await call('PUT', '/accounts/neighbour', headers, { name: 'neighbour' })
  await call('PUT', '/accounts/crowd', headers, { name: 'crowd' })
  const neighbour = await keyOf('neighbour')
  const expensive = await keyOf('crowd')
  const before = await neighbourGets(neighbour)
  const stop = new AbortController()
  const counts = new Map<number, number>()
  const crowding = Array.from({ length: clients }, (_, index) =>
    query(expensive, index, stop.signal, counts),
  )
  const beside = await neighbourGets(neighbour)
  stop.abort()
  await Promise.all(crowding)
  const after = await neighbourGets(neighbour)

  const quiet = (before.p99 + after.p99) / 2
  const answered = [...counts].map(([status, count]) => `${count} × ${status}`).join(', ')
  say(`${kind}, ${rows} messages, ${clients} clients: ${answered}`)
  say(
    `GET p50/p99 ms: before ${shown(before)}, beside them ${shown(beside)}, after ${shown(after)}; ` +
      `factor ${(beside.p99 / quiet).toFixed(1)}`,
  )
  process.exitCode = beside.p99 <= Math.max(p99MaxMs, factorMax * quiet) ? 0 : 1
} finally {
  await end(service.process)
  await database?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
}

/** Stores the messages of the account that queries them. */
async function fill(): Promise<void> {
  await using store = await open()
  for (let index = 0; index < rows; index += 500) {
    await store.transact(async (transaction) => {
      for (let each = index; each < Math.min(index + 500, rows); each += 1) {
        const message = aMessage(each, rows)
        await transaction.in(crowd).save(messages, { id: String(message['id']) }, message, null)
      }
    })
  }
}

async function open(): Promise<Store> {
  const { collections } = standardOffer
  if (kind === 'postgres') {
    const { postgresStore } = await import('../../../src/stores/postgres/postgres-store.ts')
    return postgresStore(url, collections)
  }
  const { sqliteStore } = await import('../../../src/stores/sqlite/sqlite-store.ts')
  return sqliteStore(join(folder, 'nuncio.db'), collections)
}

type Headers = Readonly<Record<string, string>>

async function keyOf(account: string): Promise<Headers> {
  const made = await call('POST', '/keys', headers, { scopes: ['*'], account })
  const { secret } = (await made.json()) as { readonly secret: string }
  return { authorization: `Bearer ${secret}` }
}

async function call(method: string, path: string, head: Headers, body: object): Promise<Response> {
  const response = await fetch(base + path, { method, headers: head, body: JSON.stringify(body) })
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response
}

/** Sends one expensive query after the other, each of another kind. */
async function query(
  head: Headers,
  client: number,
  signal: AbortSignal,
  counts: Map<number, number>,
): Promise<void> {
  const paths = [
    '/messages?sort=body_asc',
    '/messages?search=xylophone',
    '/messages?body_like=*zz*zz*',
    '/messages?search=parcel&sort=to_desc',
  ]
  for (let round = client; !signal.aborted; round += 1) {
    const path = paths[round % paths.length] ?? ''
    const prefer = round % 3 === 0 ? { prefer: 'count=exact' } : {}
    try {
      const response = await fetch(base + path, { headers: { ...head, ...prefer }, signal })
      await response.arrayBuffer()
      counts.set(response.status, (counts.get(response.status) ?? 0) + 1)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
}

interface Times {
  readonly p50: number
  readonly p99: number
}

/** Sends one GET after the other for some seconds. */
async function neighbourGets(head: Headers): Promise<Times> {
  const times: number[] = []
  const until = performance.now() + seconds * 1000
  while (performance.now() < until) {
    const began = performance.now()
    const response = await fetch(`${base}/messages/none`, { headers: head })
    await response.arrayBuffer()
    times.push(performance.now() - began)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Infinity
  return { p50: at(0.5), p99: at(0.99) }
}

function shown({ p50, p99 }: Times): string {
  return `${p50.toFixed(1)}/${p99.toFixed(1)}`
}
