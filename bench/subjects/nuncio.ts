import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contacts } from '../../src/collections/contacts.ts'
import { messages } from '../../src/collections/messages.ts'
import { defaultAccount } from '../../src/core/account.ts'
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { freePort } from '../../test/support/free-ports.ts'
import { columns, textColumns } from '../columns.ts'
import { servedOn } from '../processes.ts'
import type { SentRequest } from '../put-load.ts'
import { aMessage, idOf } from '../rows.ts'
import { launched } from './launched.ts'
import { picked } from './picked.ts'
import type { Candidate, HttpWork, Subject } from './subject.ts'

const root = join(import.meta.dirname, '..', '..')

/** The administrator's key of every service that the bench starts. */
export const key = `nuncio_${'bench'.repeat(7)}`

/** What every request to the service carries. */
export const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

/** A message as it is posted. */
export const posted = { to: '+4915112345678', body: 'Your parcel arrives today at 14:00.' }

/** What the engine itself gives every instance. */
const made: ReadonlySet<string> = new Set(['id', 'createdAt', 'updatedAt'])

const defaults: ReadonlyMap<string, string> = new Map([
  ['type', 'SENT'],
  ['from', 'Nuncio'],
  ['encoding', 'TEXT'],
  ['statusType', 'ACCEPTED'],
])

/** A collection of the very record that contenders keep, with the indexes that they have. */
const records = {
  name: 'records',
  noun: 'record',
  description: 'A message, flat, which is sent nowhere.',
  fields: Object.fromEntries(
    columns.filter((name) => !made.has(name)).map((name) => [name, fieldOf(name)]),
  ),
}

/** A running service. */
export interface Service extends Subject {
  readonly base: string
}

/** The service as an operator starts it, over the SQLite file of a folder. */
export const nuncio = {
  name: 'Nuncio',
  role: 'ours',
  version: `${versionOf(join(root, 'package.json'))}, Node ${process.versions.node}, node:sqlite`,
  durability:
    'WAL, synchronous=FULL, commits shared by what arrives together; flushed before each answer',
  prepare: fillStore,
  launch: (folder: string, rows: number) => {
    writeFileSync(join(folder, 'nuncio.config.json'), JSON.stringify({ collections: [records] }))
    return startService(`sqlite:${join(folder, 'nuncio.db')}`, folder, rows)
  },
} as const satisfies Candidate

/**
 * Starts the service over a store, that of this work tree or of another, on the served core where no
 * other is given. `rows` messages are in it.
 */
export async function startService(
  store: string,
  folder: string,
  rows = 0,
  tree = root,
  core = servedOn,
): Promise<Service> {
  const port = await freePort()
  const running = await launched(
    {
      program: process.execPath,
      args: [programIn(tree), 'serve'],
      cwd: folder,
      core,
      env: {
        NUNCIO_PORT: String(port),
        NUNCIO_STORE: store,
        NUNCIO_ADMIN_KEY: key,
        NUNCIO_SIMULATOR_DELAY_MS: '0',
        NUNCIO_LOG: 'warn',
      },
    },
    port,
    '/health/ready',
  )
  const base = `http://127.0.0.1:${port}/v1`
  return { ...running, port, base, request: (work) => requestFor(work, base, rows) }
}

function fieldOf(name: (typeof columns)[number]): object {
  if (!textColumns.has(name)) return { kind: 'integer', default: 0 }
  if (name === 'to' || name === 'body')
    return { kind: 'text', required: true, indexed: name === 'to' }
  const known = defaults.get(name)
  if (known === undefined) return { kind: 'text', nullable: true }
  return { kind: 'text', default: known, indexed: name === 'statusType' }
}

/** Puts messages into the store of a folder, as the service would have left them. */
export async function fillStore(folder: string, rows: number): Promise<void> {
  const file = join(folder, 'nuncio.db')
  await using store = await sqliteStore(file, [messages, contacts])
  for (let index = 0; index < rows; index += 500) {
    await Promise.all(
      Array.from({ length: Math.min(500, rows - index) }, (_, offset) => {
        const message = aMessage(index + offset, rows)
        const place = { id: String(message['id']) }
        return store.transact((tx) => tx.in(defaultAccount).save(messages, place, message, null))
      }),
    )
  }
}

async function requestFor(work: HttpWork, base: string, rows: number): Promise<SentRequest> {
  const get = (...paths: string[]): SentRequest => ({ method: 'GET', headers, body: '', paths })
  const post = (body: object, path = '/v1/messages'): SentRequest => ({
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    paths: [path],
  })
  const last = Math.max(1, Math.floor(rows / 50))
  switch (work) {
    case 'get':
      return get(...picked(rows).map((index) => `/v1/messages/${idOf(index)}`))
    case 'list':
      return get('/v1/messages?status.type=DELIVERED&sort=id_desc')
    case 'page':
      return get(`/v1/messages?page=${last}`)
    case 'after':
      return get(await nextOf(`${base}/messages?page=${Math.max(1, last - 1)}`))
    case 'search':
      return get(...picked(rows).map((index) => `/v1/messages?search=code${index}`))
    case 'post':
      return post(posted)
    case 'postRecord':
      return post(posted, '/v1/records')
    case 'postLater':
      return post({ ...posted, scheduledAt: new Date(Date.now() + 30 * 86_400_000).toISOString() })
    case 'put': {
      const body = JSON.stringify({ name: 'Ada Lovelace', address: posted.to, tags: ['vip'] })
      const paths = picked(1000).map((index) => `/v1/contacts/ada${index}`)
      return { method: 'PUT', headers, body, paths }
    }
  }
}

/** Where the link of a page leads next. */
async function nextOf(url: string): Promise<string> {
  const answer = await fetch(url, { headers })
  await answer.text()
  const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  if (next === undefined) throw new Error(`${url} has no next page`)
  return next
}

/** The program of a tree. Before there was a build, the source had a program of its own. */
function programIn(tree: string): string {
  const [built = '', source = ''] = ['dist/bin', 'bin'].map((path) => join(tree, path, 'nuncio.js'))
  return existsSync(built) ? built : source
}

function versionOf(file: string): string {
  return String(JSON.parse(readFileSync(file, 'utf8')).version)
}
