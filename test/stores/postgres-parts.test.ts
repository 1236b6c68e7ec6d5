import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Client } from 'pg'
import { deliveries } from '../../src/collections/deliveries.ts'
import { webhooks } from '../../src/collections/webhooks.ts'
import { accountId } from '../../src/core/account.ts'
import type { Clock } from '../../src/core/ports/clock.ts'
import { typeIds } from '../../src/core/id.ts'
import { where, type Store } from '../../src/core/ports/store.ts'
import { timestamp } from '../../src/core/timestamp.ts'
import { postgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { noPostgres, testDatabase } from '../support/postgres/database.ts'
import { virtualClock } from '../support/virtual-clock.ts'

const ours = accountId('ours')
const skip = await noPostgres()
const dayMs = 86_400_000
const collections = [webhooks, deliveries]

describe('attempts on PostgreSQL', { skip }, () => {
  it('stand in parts by day, each of which is dropped whole', async () => {
    await using database = await testDatabase()
    const clock = virtualClock()
    await using store = await open(database.url, clock)
    const ids = await attemptsOfDays(store, clock, 5)
    const before = await partsOf(database.url)

    const { arePassed } = await store.maintain(clock.now() - 2 * dayMs, 9)

    const after = await partsOf(database.url)
    assert.deepEqual(await listed(store), ids.slice(3))
    assert.deepEqual([arePassed, before.length - after.length], [true, 3 - 5])
    assert.equal(await rowsIn(database.url, 't/webhooks/deliveries/rest'), 0)
  })

  it('are removed one by one where they stand in no day', async () => {
    await using database = await testDatabase()
    const clock = virtualClock()
    await using store = await open(database.url, clock)
    clock.jump(30 * dayMs)
    await attemptsOfDays(store, clock, 1)

    assert.equal((await store.maintain(clock.now() + dayMs, 9)).arePassed, false)
  })
})

function open(url: string, clock: Clock): Promise<Store> {
  return postgresStore(url, collections, () => {}, { clock })
}

/** Makes an attempt on each of so many days, and lets the days pass. */
async function attemptsOfDays(
  store: Store,
  clock: ReturnType<typeof virtualClock>,
  days: number,
): Promise<readonly string[]> {
  const newId = typeIds(clock, seededRandom(clock.now() % 1000))
  const ids: string[] = []
  for (let day = 0; day < days; day += 1) {
    const id = newId('delivery')
    const at = timestamp(clock.now())
    await store.transact((transaction) =>
      transaction.in(ours).save(deliveries, { parent: 'w', id }, { id, createdAt: at }, null),
    )
    ids.push(id)
    clock.jump(dayMs)
  }
  return ids
}

async function listed(store: Store): Promise<readonly string[]> {
  const found = await store.read(ours, (reader) => reader.list(deliveries, 'w', where([], 100)))
  return found.map(({ id }) => id)
}

async function partsOf(url: string): Promise<readonly string[]> {
  const rows = await ask(
    url,
    `select inhrelid::regclass::text from pg_inherits where inhparent = '"c/webhooks/deliveries"'::regclass`,
  )
  return rows.map(([name]) => String(name))
}

async function rowsIn(url: string, part: string): Promise<number> {
  const [row] = await ask(url, `select count(*) from "${part}"`)
  return Number(row?.[0])
}

async function ask(url: string, text: string): Promise<readonly (readonly unknown[])[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query("select set_config('nuncio.account', '*', false)")
  const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' })
  await client.end()
  return rows
}
