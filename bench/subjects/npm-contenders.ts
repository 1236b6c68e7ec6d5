import { copyFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { flatMessage, makeTable } from '../columns.ts'
import { freePort } from '../../test/support/free-ports.ts'
import type { SentRequest } from '../put-load.ts'
import { idOf } from '../rows.ts'
import { folderOf, versionIn } from './install.ts'
import { launched } from './launched.ts'
import { picked } from './picked.ts'
import type { Candidate, HttpWork, Subject } from './subject.ts'

const body = { to: '+4915112345678', body: 'Your parcel arrives today at 14:00.' }

/** Each of them keeps messages flat in columns of SQLite, or in one JSON file. */
export const npmContenders: Readonly<Record<string, () => Candidate>> = {
  crud: () => ({
    name: 'Fastify and better-sqlite3, by hand',
    role: 'contender',
    version: versionsIn('crud', 'fastify', 'better-sqlite3'),
    durability: 'WAL, synchronous=FULL, a commit for each write; flushed before each answer',
    prepare: async (folder, rows) => makeTable(join(folder, 'messages.db'), rows),
    launch: (folder, rows) =>
      serve('crud', folder, { FILE: join(folder, 'messages.db'), KEY: 'bench' }, (work) =>
        crudRequest(work, rows),
      ),
  }),

  feathers: () => ({
    name: 'Feathers, knex and SQLite',
    role: 'contender',
    version: versionsIn('feathers', '@feathersjs/feathers', 'knex', 'better-sqlite3'),
    durability: 'WAL, synchronous as SQLite has it (FULL), a commit for each write',
    prepare: async (folder, rows) => makeTable(join(folder, 'messages.db'), rows),
    launch: (folder, rows) =>
      serve('feathers', folder, { FILE: join(folder, 'messages.db') }, (work) =>
        feathersRequest(work, rows),
      ),
  }),

  'json-server': () => ({
    name: 'json-server',
    role: 'contender',
    version: versionsIn('json-server', 'json-server'),
    durability: 'the whole file is written anew for each write, and not flushed',
    connectionsMax: 2,
    prepare: async (folder, rows) => {
      const messages = Array.from({ length: rows }, (_, index) => flatMessage(index, rows))
      writeFileSync(join(folder, 'db.json'), JSON.stringify({ messages }))
    },
    launch: (folder, rows) => {
      const working = join(folder, 'working.json')
      if (!existsSync(working)) copyFileSync(join(folder, 'db.json'), working)
      return jsonServer(working, folder, rows)
    },
  }),
}

async function serve(
  name: string,
  folder: string,
  env: Readonly<Record<string, string>>,
  request: (work: HttpWork) => SentRequest | null,
): Promise<Subject> {
  const port = await freePort()
  const running = await launched(
    {
      program: process.execPath,
      args: [join(folderOf(name), 'server.js')],
      cwd: folder,
      env: { ...env, PORT: String(port), NODE_ENV: 'production' },
    },
    port,
    '/messages/none',
  )
  return { ...running, port, request: async (work) => request(work) }
}

async function jsonServer(file: string, folder: string, rows: number): Promise<Subject> {
  const port = await freePort()
  const program = join(folderOf('json-server'), 'node_modules/json-server/lib/cli/bin.js')
  const running = await launched(
    {
      program: process.execPath,
      args: [program, file, '--port', String(port), '--host', '127.0.0.1', '--quiet'],
      cwd: folder,
      env: {},
    },
    port,
    '/messages/none',
  )
  return { ...running, port, request: async (work) => jsonServerRequest(work, rows) }
}

function crudRequest(work: HttpWork, rows: number): SentRequest | null {
  const headers = { authorization: 'Bearer bench', 'content-type': 'application/json' }
  return shaped(work, headers, {
    get: ids(rows),
    list: ['/messages?statusType=DELIVERED'],
    page: [`/messages?page=${lastPage(rows)}`],
    after: [`/messages?after=${idOf(50)}`],
    search: codes(rows).map((code) => `/messages?search=${code}`),
  })
}

function feathersRequest(work: HttpWork, rows: number): SentRequest | null {
  return shaped(
    work,
    { 'content-type': 'application/json' },
    {
      get: ids(rows),
      list: ['/messages?statusType=DELIVERED&$sort[id]=-1&$limit=50'],
      page: [`/messages?$sort[id]=-1&$limit=50&$skip=${(lastPage(rows) - 1) * 50}`],
      after: [`/messages?id[$lt]=${idOf(50)}&$sort[id]=-1&$limit=50`],
      search: [],
    },
  )
}

function jsonServerRequest(work: HttpWork, rows: number): SentRequest | null {
  return shaped(
    work,
    { 'content-type': 'application/json' },
    {
      get: ids(rows),
      list: ['/messages?statusType=DELIVERED&_sort=id&_order=desc&_limit=50'],
      page: [`/messages?_page=${lastPage(rows)}&_limit=50&_sort=id&_order=desc`],
      after: [],
      search: codes(rows).map((code) => `/messages?q=${code}&_limit=50`),
    },
  )
}

type Paths = Readonly<Record<'get' | 'list' | 'page' | 'after' | 'search', readonly string[]>>

function shaped(
  work: HttpWork,
  headers: Readonly<Record<string, string>>,
  reads: Paths,
): SentRequest | null {
  // They carry no message anywhere: to keep one for later is all they do.
  if (work === 'post' || work === 'postLater' || work === 'postRecord') {
    return { method: 'POST', headers, body: JSON.stringify(body), paths: ['/messages'] }
  }
  if (work === 'put') {
    return { method: 'PUT', headers, body: JSON.stringify(body), paths: reads.get }
  }
  return reads[work].length === 0 ? null : { method: 'GET', headers, body: '', paths: reads[work] }
}

function ids(rows: number): readonly string[] {
  return picked(rows).map((index) => `/messages/${idOf(index)}`)
}

function codes(rows: number): readonly string[] {
  return picked(rows).map((index) => `code${index}`)
}

function versionsIn(name: string, ...packages: readonly string[]): string {
  return packages.map((dependency) => `${dependency} ${versionIn(name, dependency)}`).join(', ')
}

function lastPage(rows: number): number {
  return Math.max(1, Math.floor(rows / 50))
}
