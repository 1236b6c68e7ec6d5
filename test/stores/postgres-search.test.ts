import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Client } from 'pg'
import { messages } from '../../src/collections/messages.ts'
import { type AccountId, accountId } from '../../src/core/account.ts'
import { fold, type Query } from '../../src/core/declaration/query.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { memoryStore } from '../oracle/memory-store.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { openPostgres, type TestStore } from '../support/postgres/open-store.ts'
import { virtualClock } from '../support/virtual-clock.ts'

const [ours, theirs] = [accountId('ours'), accountId('theirs')]
const skip = await noPostgres()
const rowsInChunk = 8
const words = [
  'parcel',
  'Straße',
  'code1',
  'code17',
  'ode2',
  'xylophonist',
  '猫が来',
  'a b',
  '"{}\\',
]

describe('the index of texts on PostgreSQL', { skip }, () => {
  it('gives the answers of the model, of what is in it and of what is not yet', async () => {
    await using stores = await openBoth()
    await stores.write(ours, 0, 30)
    await stores.write(theirs, 30, 40)

    const before = await stores.answers()
    await stores.indexed()
    const after = await stores.answers()
    await stores.write(ours, 70, 5)
    const more = await stores.answers()

    assert.deepEqual(before.given, before.expected)
    assert.deepEqual(after.given, after.expected)
    assert.deepEqual(more.given, more.expected)
    assert.deepEqual(
      await stores.rows('select account, count(*) from search_chunks group by 1 order by 1'),
      [
        ['ours', '3'],
        ['theirs', '5'],
      ],
    )
  })

  it('follows texts that change and go, and keeps nothing of them', async () => {
    await using stores = await openBoth()
    await stores.write(ours, 0, 24)
    await stores.indexed()

    await stores.save(ours, 3, 'an umbrella')
    await stores.save(ours, 5, 'a parcel again')
    await stores.remove(ours, 17)
    const before = await stores.answers(['umbrella'])
    await stores.indexed()
    const after = await stores.answers(['umbrella'])

    assert.deepEqual(before.given, before.expected)
    assert.deepEqual(after.given, after.expected)
    assert.deepEqual(await stores.rows("select 1 from search_tokens where token = 'e17'"), [])
    assert.deepEqual(await stores.rows('select 1 from search_gone'), [])
  })

  it('has nothing left of an account that is erased', async () => {
    await using stores = await openBoth()
    await stores.write(ours, 0, 80)
    await stores.indexed()

    await stores.store.transact((transaction) => transaction.erase(ours))
    await stores.indexed()

    assert.deepEqual(await stores.rows('select 1 from search_tokens'), [])
    assert.deepEqual(await stores.rows('select 1 from search_chunks'), [])
    assert.deepEqual(await stores.rows('select 1 from search_accounts'), [])
  })

  it('passes over no row whose transaction ends after those that began later', async () => {
    await using stores = await openBoth()
    const late = await connect(stores.store.url)
    await late.query('begin')
    await late.query("select set_config('nuncio.account', 'ours', true)")
    await late.query(
      `insert into "c/messages" (account, id, revision, doc, search)
        values ('ours', 'late', 'r', '{"id":"late"}', 'a zeppelin')`,
    )
    await stores.write(ours, 0, 24)
    for (let round = 0; round < 20; round += 1) await stores.round()
    const chunks = await stores.rows('select 1 from search_chunks')

    await late.query('commit')
    await late.end()
    await stores.indexed()

    assert.deepEqual(chunks, [])
    assert.deepEqual(await found(stores.store, ours, 'zeppelin'), ['late'])
  })

  it('shows an account nothing of another: row security holds for it, too', async () => {
    await using stores = await openBoth()
    await stores.write(ours, 0, 16)
    await stores.write(theirs, 16, 16)
    await stores.indexed()
    const client = await connect(stores.store.url)
    const seen = async (): Promise<readonly unknown[]> =>
      (await client.query(accountsSeen)).rows.map(Object.values)

    await client.query("select set_config('nuncio.account', 'ours', false)")
    const own = await seen()
    await client.query("select set_config('nuncio.account', '', false)")
    const none = await seen()
    await client.end()

    assert.deepEqual(own, [
      ['tokens', 'ours'],
      ['chunks', 'ours'],
      ['accounts', 'ours'],
    ])
    assert.deepEqual(none, [])
  })
})

const accountsSeen = ['tokens', 'chunks', 'accounts']
  .map((part) => `select distinct '${part}' as part, account from search_${part}`)
  .join(' union all ')

async function openBoth() {
  const clock = virtualClock()
  const store = await openPostgres([messages], () => {}, { clock, rowsInChunk })
  const model = memoryStore([messages])
  const client = await connect(store.url)
  await client.query("select set_config('nuncio.account', '*', false)")
  const rows = async (text: string): Promise<readonly unknown[][]> =>
    (await client.query<unknown[]>({ text, rowMode: 'array' })).rows
  const save = async (account: AccountId, index: number, body: string): Promise<void> => {
    const id = `m${String(index).padStart(3, '0')}`
    for (const each of [store, model]) {
      await each.transact((tx) => tx.in(account).save(messages, { id }, { id, body }, null))
    }
  }
  const round = async (): Promise<void> => {
    await clock.advance(1000)
    await store.read(ours, async () => {})
  }
  return {
    store,
    rows,
    save,
    round,
    write: async (account: AccountId, from: number, count: number) => {
      for (let index = from; index < from + count; index += 1) {
        await save(account, index, bodyOf(index))
      }
    },
    remove: async (account: AccountId, index: number) => {
      const key = { id: `m${String(index).padStart(3, '0')}` }
      for (const each of [store, model]) {
        await each.transact((tx) => tx.in(account).remove(messages, key))
      }
    },
    /** Until nothing is left to do. */
    indexed: async () => {
      for (let left = 400; left > 0; left -= 1) {
        await round()
        if ((await rows(isIndexed)).length > 0) return
      }
      throw new Error('the texts are not indexed')
    },
    answers: async (more: readonly string[] = []) => {
      const asked = [ours, theirs].flatMap((account) =>
        [...words, ...more].map((word) => [account, word] as const),
      )
      const [given, expected] = await Promise.all(
        [store, model].map((each) =>
          Promise.all(asked.map(([account, word]) => found(each, account, word))),
        ),
      )
      return { given, expected }
    },
    [Symbol.asyncDispose]: async () => {
      await client.end()
      await store[Symbol.asyncDispose]()
    },
  }
}

const isIndexed = `
  select 1 from search_state where collection = 'messages'
    and place = pg_sequence_last_value(pg_get_serial_sequence('"c/messages"', 'place')::regclass)
    and not exists (select 1 from search_gone)
    and not exists (select 1 from search_accounts where waiting >= ${rowsInChunk})`

function bodyOf(index: number): string {
  const extra = index % 3 === 0 ? 'Your parcel, STRASSE 猫が来る "{}\\ a b' : 'hello'
  return `${extra} code${index}`
}

async function found(store: Store, account: AccountId, text: string): Promise<readonly string[]> {
  const query: Query = {
    conditions: [],
    searchTerms: fold(text).split(' '),
    sort: [{ path: ['id'], direction: 'asc' }],
    start: { offset: 0 },
    limit: 1000,
  }
  const stored = await store.read(account, (reader) => reader.list(messages, null, query))
  return stored.map(({ id }) => id)
}

async function connect(url: TestStore['url']): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
}
