import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Client } from 'pg'
import { accountId } from '../../src/core/account.ts'
import { collection } from '../../src/core/declaration/collection.ts'
import { text } from '../../src/core/declaration/field.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { cellOf } from '../../src/stores/cell.ts'
import { postgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { testDatabase, testPostgres } from '../support/postgres/database.ts'

const ours = accountId('ours')
const notes = collection({
  name: 'notes',
  noun: 'note',
  description: 'A note.',
  searchedBy: ['body'],
  fields: { body: text({ required: true }) },
})
const indexed = { ...notes, searchIndex: true }
const many = Array.from({ length: 1500 }, (_, index) => `filler ${index}`)
const skip = await noExtensions()

describe('a search index on PostgreSQL', { skip }, () => {
  it('is made at a later start, found by the plan, and dropped without the setting', async () => {
    await using database = await testDatabase()
    await withStore(database.url, notes, (store) => save(store, many))

    await withStore(database.url, indexed, (store) => save(store, ['one more needle']))
    const made = await indexes(database.url)
    const plan = await planOf(database.url)
    await withStore(database.url, notes, async () => {})
    const left = await indexes(database.url)

    assert.match(made, /USING gin \(account, search gin_trgm_ops\)/)
    assert.match(plan, /Bitmap Index Scan on "s\/c\/notes"/)
    assert.doesNotMatch(left, /gin_trgm_ops/)
  })

  it('finds what a search without it finds, wildcards of patterns included', async () => {
    const bodies = ['100 % wool', '100 or wool', 'a_b', 'axb', 'back\\slash', 'back/slash', 'ab']
    for (const declared of [notes, indexed]) {
      await using database = await testDatabase()
      await withStore(database.url, declared, async (store) => {
        await save(store, [...bodies, ...many])

        assert.deepEqual(await found(store, '100 %'), ['100 % wool'])
        assert.deepEqual(await found(store, 'a_b'), ['a_b'])
        assert.deepEqual(await found(store, 'back\\s'), ['back\\slash'])
        assert.deepEqual(await found(store, 'ab'), ['ab'])
        assert.deepEqual(await found(store, 'filler 1499', 'fill'), ['filler 1499'])
      })
    }
  })
})

async function withStore(
  url: string,
  declared: typeof indexed | typeof notes,
  work: (store: Store) => Promise<void>,
): Promise<void> {
  await using store = await postgresStore(url, [declared])
  await work(store)
}

async function save(store: Store, bodies: readonly string[]): Promise<void> {
  await store.transact(async (transaction) => {
    for (const body of bodies) {
      const id = Buffer.from(body).toString('hex')
      const note = { id, body, createdAt: '2026', updatedAt: '2026' }
      await transaction.in(ours).save(notes, { id }, note, null)
    }
  })
}

/** Returns what a page with a search has, read within limits as a client's request is. */
async function found(store: Store, ...searchTerms: readonly string[]): Promise<readonly string[]> {
  const query = {
    conditions: [],
    searchTerms,
    sort: [{ path: ['id'], direction: 'asc' as const }],
    start: { offset: 0 },
    limit: 10,
  }
  const { signal } = new AbortController()
  const limits = { signal: () => signal, remainingMs: () => 20_000, mayBePartial: true }
  const page = await store.page(ours, notes, null, query, limits)
  return page.instances.map(({ doc }) => JSON.parse(doc).body)
}

async function indexes(url: string): Promise<string> {
  return asked(url, `select string_agg(indexdef, ' ') from pg_indexes where tablename = 'c/notes'`)
}

async function planOf(url: string): Promise<string> {
  return asked(
    url,
    `explain select id from "c/notes" where cell = ${cellOf(ours)} and account = 'ours' and search like '%needle%'`,
    'analyze "c/notes"',
  )
}

async function asked(url: string, sql: string, before = ''): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(before)
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' })
    return rows.map(([value]) => String(value)).join('\n')
  } finally {
    await client.end()
  }
}

/** Why there is no server with both extensions, said aloud; false where there is one. */
async function noExtensions(): Promise<string | false> {
  const server = await testPostgres()
  if (typeof server === 'string') return server
  await using database = await testDatabase()
  const count = await asked(
    database.url,
    `select count(*) from pg_available_extensions where name in ('pg_trgm', 'btree_gin')`,
  )
  if (count === '2') return false
  const reason = 'the server has no pg_trgm or no btree_gin'
  console.error(`NOT TESTED: ${reason}`)
  return reason
}
