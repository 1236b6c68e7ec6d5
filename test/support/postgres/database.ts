import { createHash } from 'node:crypto'
import { Client } from 'pg'
import { startKeeper } from './start-keeper.ts'

/** A database for one test, empty, which an ordinary role owns. */
export interface TestDatabase extends AsyncDisposable {
  /** How that role reaches it. */
  readonly url: string
  readonly name: string
}

/** A PostgreSQL for tests, which those of other files may use at the same time. */
export interface TestPostgres {
  /** Creates a database that is empty, or a copy of another one that has no connections. */
  database(like?: string): Promise<TestDatabase>
  /**
   * Returns the name of a database to copy, which `fill` fills if no test file did so before.
   * The key names its contents.
   */
  template(key: string, fill: (url: string) => Promise<void>): Promise<string>
}

/** A PostgreSQL that only one test file uses, which may stop it. */
export interface OwnPostgres extends TestPostgres {
  /** The process of the server. */
  readonly pid: number
  /** Ends the server as a crash would, starts it again, and waits until it answers. */
  restart(): Promise<void>
}

/** The role that the service works as: it owns its database, and nothing else. */
const role = 'nuncio_test'

let started: Promise<TestPostgres | string> | null = null
let own: Promise<OwnPostgres | string> | null = null

/**
 * Returns the PostgreSQL of this test file: the one that NUNCIO_TEST_POSTGRES names, by a role that may
 * create roles and databases, else its own. `npm test` names one for all test files. A text gives the
 * reason if there is none.
 */
export function testPostgres(): Promise<TestPostgres | string> {
  const given = process.env['NUNCIO_TEST_POSTGRES'] ?? ''
  started ??= given === '' ? ownPostgres() : serve(given).catch(String)
  return started
}

/**
 * Returns a PostgreSQL that no other test file uses and that ends with this process. A text gives the
 * reason if there is none.
 */
export function ownPostgres(): Promise<OwnPostgres | string> {
  own ??= startOwn().catch(String)
  return own
}

/** A database for one test. Throws where there is no PostgreSQL; ask `noPostgres` first. */
export async function testDatabase(like?: string): Promise<TestDatabase> {
  const found = await testPostgres()
  if (typeof found === 'string') throw new Error(found)
  return found.database(like)
}

/** Returns why there is no PostgreSQL to test with, and prints it; false if there is one. */
export async function noPostgres(): Promise<string | false> {
  return absence(await testPostgres())
}

/** Returns why this file cannot have its own PostgreSQL, and prints it; false if it has one. */
export async function noOwnPostgres(): Promise<string | false> {
  return absence(await ownPostgres())
}

function absence(found: TestPostgres | string): string | false {
  if (typeof found !== 'string') return false
  console.error(`NOT TESTED: there is no PostgreSQL to test with: ${found}`)
  return found
}

async function startOwn(): Promise<OwnPostgres | string> {
  const keeper = await startKeeper()
  if ('fault' in keeper) return keeper.fault
  const { port, pid, restart } = keeper
  return { ...(await serve(`postgres://postgres@127.0.0.1:${port}/postgres`)), pid, restart }
}

async function serve(administrator: string): Promise<TestPostgres> {
  await asAdministrator(administrator, async (client) => {
    await client
      .query(`create role ${role} login password '${role}' nosuperuser nobypassrls`)
      .catch((error: { code?: string }) => {
        if (error.code !== '42710' && error.code !== '23505') throw error
      })
  })
  const urlOf = (name: string): string => {
    const url = new URL(administrator)
    url.username = role
    url.password = role
    url.pathname = `/${name}`
    return url.href
  }
  const create = (client: Client, name: string, like: string) =>
    client.query(
      `create database ${name} owner ${role} template ${like} encoding 'UTF8' strategy file_copy`,
    )
  let count = 0
  return {
    database: async (like = 'template0') => {
      count += 1
      const name = `nuncio_test_${process.pid}_${count}`
      await asAdministrator(administrator, (client) => create(client, name, like))
      return {
        url: urlOf(name),
        name,
        [Symbol.asyncDispose]: () =>
          asAdministrator(administrator, (client) =>
            client.query(`drop database if exists ${name} with (force)`),
          ),
      }
    },
    template: async (key, fill) => {
      const name = `nuncio_test_${run()}_${createHash('sha256').update(key).digest('hex').slice(0, 20)}`
      await asAdministrator(administrator, async (client) => {
        await client.query('select pg_advisory_lock(hashtext($1))', [name])
        const found = await client.query('select from pg_database where datname = $1', [name])
        if (found.rowCount !== 0) return
        // It has its name only once it is complete.
        await create(client, `${name}_new`, 'template0')
        await fill(urlOf(`${name}_new`))
        await client.query(`alter database ${name}_new rename to ${name}`)
      })
      return name
    },
  }
}

/** Names the run whose test files share templates: the schema may differ in the next run. */
function run(): string {
  return process.env['NUNCIO_TEST_RUN'] ?? String(process.pid)
}

async function asAdministrator(
  url: string,
  work: (client: Client) => Promise<unknown>,
): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
