import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'

/** A database for one test, empty, which an ordinary role owns. */
export interface TestDatabase extends AsyncDisposable {
  /** How that role reaches it. */
  readonly url: string
  readonly name: string
}

/** A PostgreSQL for the tests of one file. */
export interface TestPostgres {
  /** The process, where it is one of our own. */
  readonly pid: number | null
  /** Ends the server as a crash would and starts it anew; kept when it answers. Ours alone can be. */
  restart(): Promise<void>
  /** An empty one, or one that is as the one given was, which nobody has open. */
  database(like?: string): Promise<TestDatabase>
}

/** The role that the service works as: it owns its database, and nothing else. */
const role = 'nuncio_test'

let started: Promise<TestPostgres | string> | null = null

/**
 * The PostgreSQL of this test file: the one that NUNCIO_TEST_POSTGRES names, by a role that may make
 * roles and databases, else one of its own, which ends with the process. A text, why not,
 * where none can be had.
 */
export function testPostgres(): Promise<TestPostgres | string> {
  started ??= start()
  return started
}

/** A database for one test. Throws where there is no PostgreSQL; ask `noPostgres` first. */
export async function testDatabase(like?: string): Promise<TestDatabase> {
  const found = await testPostgres()
  if (typeof found === 'string') throw new Error(found)
  return found.database(like)
}

/** Why there is no PostgreSQL to test with, said aloud; false where there is one. */
export async function noPostgres(): Promise<string | false> {
  const found = await testPostgres()
  if (typeof found !== 'string') return false
  console.error(`NOT TESTED: there is no PostgreSQL to test with: ${found}`)
  return found
}

async function start(): Promise<TestPostgres | string> {
  const given = process.env['NUNCIO_TEST_POSTGRES']
  try {
    if (given !== undefined && given !== '') return await served(given, null, notOurs)
    const keeper = await startKeeper()
    if ('fault' in keeper) return keeper.fault
    const { port, pid, restart } = keeper
    return await served(`postgres://postgres@127.0.0.1:${port}/postgres`, pid, restart)
  } catch (error) {
    return String(error)
  }
}

const notOurs = (): Promise<never> => Promise.reject(new Error('the server is not ours to restart'))

async function served(
  administrator: string,
  pid: number | null,
  restart: TestPostgres['restart'],
): Promise<TestPostgres> {
  await asAdministrator(administrator, async (client) => {
    await client
      .query(`create role ${role} login password '${role}' nosuperuser nobypassrls`)
      .catch((error: { code?: string }) => {
        if (error.code !== '42710' && error.code !== '23505') throw error
      })
  })
  let count = 0
  return {
    pid,
    restart,
    database: async (like = 'template0') => {
      count += 1
      const name = `nuncio_test_${process.pid}_${count}`
      await asAdministrator(administrator, async (client) => {
        await client.query(`create database ${name} owner ${role} template ${like} encoding 'UTF8'`)
      })
      const url = new URL(administrator)
      url.username = role
      url.password = role
      url.pathname = `/${name}`
      return {
        url: url.href,
        name,
        [Symbol.asyncDispose]: () =>
          asAdministrator(administrator, async (client) => {
            if (pid === null) await client.query(`drop database ${name} with (force)`)
          }),
      }
    },
  }
}

async function asAdministrator(url: string, work: (client: Client) => Promise<void>) {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** A server that a process of its own holds. */
interface Kept {
  readonly port: number
  readonly pid: number
  readonly restart: () => Promise<void>
}

/**
 * Starts the process that holds the server. It ends when its standard input does: with this process.
 * Where it is to be durable it waits for the disk, as a server that is measured must.
 */
export async function startKeeper(isDurable = false): Promise<Kept | { readonly fault: string }> {
  const script = fileURLToPath(new URL('keeper.ts', import.meta.url))
  const args = isDurable ? [script, 'durable'] : [script]
  const keeper = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  keeper.unref()
  const waiting: ((line: string) => void)[] = []
  const said = (): Promise<string> => new Promise((resolve) => waiting.push(resolve))
  const lines = createInterface(keeper.stdout)
  lines.on('line', (line) => waiting.shift()?.(line))
  const ended = '{"fault":"the process that holds it ended"}'
  lines.on('close', () => waiting.splice(0).forEach((tell) => tell(ended)))
  const first: { port: number; pid: number } | { fault: string } = JSON.parse(await said())
  for (const stream of [keeper.stdin, keeper.stdout]) {
    if ('unref' in stream && typeof stream.unref === 'function') stream.unref()
  }
  if ('fault' in first) return first
  return {
    ...first,
    restart: async () => {
      keeper.stdin.write('restart\n')
      await said()
    },
  }
}
