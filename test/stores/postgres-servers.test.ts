import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Client } from 'pg'
import { defaultAccount } from '../../src/core/account.ts'
import { type Store, StoreUnavailable } from '../../src/core/ports/store.ts'
import { servers } from '../../src/stores/postgres/connection/servers.ts'
import { postgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { sampleCollections, things } from '../conformance/sample-collections.ts'
import { freePort } from '../support/free-ports.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { startKeeper } from '../support/postgres/start-keeper.ts'

describe('the servers of a URL', () => {
  it('are asked in their order, and the one found last alone while it accepts writes', async () => {
    const asked: string[] = []
    const refusing = new Set(['postgres://a/n'])
    const found = servers(['postgres://a/n', 'postgres://b/n', 'postgres://c/n'], async (url) => {
      asked.push(new URL(url).host)
      return refusing.has(url) ? 'read-only' : null
    })

    const first = await Promise.all([found.find(), found.find()])
    const again = await found.find()
    refusing.add('postgres://b/n')
    const other = await found.find()

    assert.deepEqual(
      [...first, again, other],
      ['postgres://b/n', 'postgres://b/n', 'postgres://b/n', 'postgres://c/n'],
    )
    assert.equal(asked.join(''), 'aabcbbabc')
  })

  it('are named with their faults where none accepts writes', async () => {
    const found = servers(
      ['postgres://u:secret@a:1/n', 'postgres://u:secret@b:2/n'],
      async (url) => (url.includes('a:1') ? 'read-only' : 'no route'),
    )

    await assert.rejects(found.find(), {
      name: 'StoreUnavailable',
      message: 'no server accepts writes: a:1 (read-only), b:2 (no route)',
    })
  })
})

describe('a store over several servers', { skip: await noPostgres() }, () => {
  it('passes over those that are stopped or only read, and follows the one that writes', async () => {
    const [first, second] = [await startServer(), await startServer()]
    // Each has the tables, as a replica has.
    for (const url of [first, second]) await (await open(url))[Symbol.asyncDispose]()
    await makeReadOnly(first, true)
    const hosts = [`127.0.0.1:${await freePort()}`, new URL(first).host, new URL(second).host]
    const url = `postgres://postgres@${hosts.join(',')}/postgres?target_session_attrs=read-write`
    await using store = await open(url)

    await add(store, 'one')
    await makeReadOnly(second, true)
    await makeReadOnly(first, false)
    const refusals = await refusalsUntilDone(() => add(store, 'two'))

    assert.deepEqual([await idsIn(first), await idsIn(second)], [['two'], ['one']])
    assert.ok(refusals <= 3, `${refusals} refusals`)
  })

  it('is refused at the start, with what is wrong at each, where none writes', async () => {
    const only = await startServer()
    await makeReadOnly(only, true)
    const port = await freePort()
    const hosts = [`127.0.0.1:${port}`, new URL(only).host]

    await assert.rejects(open(`postgres://postgres@${hosts.join(',')}/postgres`), {
      name: 'StoreUnavailable',
      message:
        `no server accepts writes: 127.0.0.1:${port} (connect ECONNREFUSED 127.0.0.1:${port}), ` +
        `${new URL(only).host} (read-only)`,
    })
  })
})

function open(url: string): Promise<Store> {
  return postgresStore(url, sampleCollections)
}

/** Starts a server of this test alone, which ends with the process. */
async function startServer(): Promise<string> {
  const kept = await startKeeper()
  assert.ok('port' in kept)
  return `postgres://postgres@127.0.0.1:${kept.port}/postgres`
}

/** Changes what sessions of a server may do, those that there are included. */
async function makeReadOnly(url: string, isOn: boolean): Promise<void> {
  const value = isOn ? 'on' : 'off'
  await query(url, `alter system set default_transaction_read_only = ${value}`)
  await query(url, 'select pg_reload_conf()')
  while ((await query(url, 'show transaction_read_only'))[0]?.['transaction_read_only'] !== value);
}

async function idsIn(url: string): Promise<readonly unknown[]> {
  return (await query(url, 'select id from "c/things"')).map(({ id }) => id)
}

async function query(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function add(store: Store, id: string): Promise<void> {
  await store.transact(async (transaction) =>
    transaction.in(defaultAccount).save(things, { id }, { id }, null),
  )
}

/** Repeats work until it succeeds. Returns how often the store was unavailable. */
async function refusalsUntilDone(work: () => Promise<void>): Promise<number> {
  for (let refusals = 0; ; refusals += 1) {
    try {
      await work()
      return refusals
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || refusals > 50) throw error
    }
  }
}
