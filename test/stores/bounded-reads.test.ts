import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { accountId } from '../../src/core/account.ts'
import type { Condition, Query } from '../../src/core/declaration/query.ts'
import type { QueryLimits } from '../../src/core/ports/query-limits.ts'
import { QueryTimeout, type Store } from '../../src/core/ports/store.ts'
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { aThing, sampleCollections, things } from '../conformance/sample-collections.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { openPostgres } from '../support/postgres/open-store.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const ours = accountId('ours')
const theirs = accountId('theirs')
/** More than several pieces of a list. */
const count = 6000

const stores: readonly [name: string, open: () => Promise<Store>, skip: string | false][] = [
  ['SQLite', openSqlite, false],
  ['PostgreSQL', () => openPostgres(sampleCollections), await noPostgres()],
]

for (const [name, open, skip] of stores) {
  describe(`an expensive read on ${name}`, { skip }, () => {
    let store: Store
    const opened = new AsyncDisposableStack()

    before(async () => {
      store = opened.use(await open())
      await store.transact(async (tx) => {
        for (let index = 0; index < count; index += 1) {
          const id = idOf(index)
          const fields = { name: `thing ${index}`, note: `number ${index}` }
          await tx.in(ours).save(things, { id }, aThing(id, fields), null)
        }
      })
    })
    after(() => opened.disposeAsync())

    it('returns the same page in pieces as in one statement', async () => {
      for (const note of ['number 5', 'number 5999', 'number 59*', 'none']) {
        const query = { ...everything, conditions: [is('note', 'like', note)] }

        const whole = await store.read(ours, (reader) => reader.list(things, null, query))
        const page = await store.page(ours, things, null, query, limits())

        assert.deepEqual(page, { instances: whole, examinedTo: null })
      }
    })

    it('returns what it found within its budget, and where to continue', async () => {
      const query = { ...everything, conditions: [is('note', 'like', '*9')] }
      const found: string[] = []
      let start: Query['start'] = { offset: 0 }
      let pages = 0
      for (; ; pages += 1) {
        // Time for the statements of two pieces.
        const page = await store.page(ours, things, null, { ...query, start }, statements(5))
        found.push(...page.instances.map(({ id }) => id))
        if (page.examinedTo === null) break
        start = { after: page.examinedTo }
      }

      const expected = Array.from({ length: count }, (_, index) => index)
        .filter((index) => index % 10 === 9)
        .map(idOf)
      assert.deepEqual(found, expected.toReversed())
      assert.ok(pages > 1)
    })

    it('examines only the rows of the time that is asked for', async () => {
      const made = is('createdAt', 'gte', '9999')
      const query = { ...everything, conditions: [made, is('note', 'like', '*')] }

      const page = await store.page(ours, things, null, query, statements(1))

      assert.deepEqual(page, { instances: [], examinedTo: null })
    })

    it('ends without a page if no part of it can be returned', async () => {
      const sort = [{ path: ['note'], direction: 'asc' }] as const
      const slow = { ...limits(), remainingMs: () => 0 }

      await assert.rejects(
        store.page(ours, things, null, { ...everything, sort }, slow),
        QueryTimeout,
      )
      await assert.rejects(store.count(ours, things, null, everything, slow), QueryTimeout)
      await assert.rejects(
        store.page(ours, things, null, { ...everything, searchTerms: ['x'] }, slow),
        QueryTimeout,
      )
    })

    it('ends when its client disconnects, and leaves the store usable', async () => {
      const disconnected = new AbortController()
      const bounds = { ...limits(), signal: () => disconnected.signal }
      // A pattern that matches nothing is looked for in all texts, each of them for long.
      const conditions = Array.from({ length: 40 }, () => is('note', 'like', '*n*u*m*b*e*r*x'))
      const counting = store.count(ours, things, null, { ...everything, conditions }, bounds)
      disconnected.abort()

      await assert.rejects(counting, QueryTimeout)
      assert.equal(await store.count(ours, things, null, everything, limits()), count)
    })

    it('sees what was committed before it, and nothing of other accounts', async () => {
      const query = { ...everything, searchTerms: ['newest'] }
      const save = (id: string): Promise<unknown> =>
        store.transact((tx) =>
          tx.in(theirs).save(things, { id }, aThing(id, { name: 'newest' }), null),
        )

      for (const id of ['a', 'b', 'c']) {
        await save(id)
        const page = await store.page(theirs, things, null, query, limits())
        assert.equal(page.instances[0]?.id, id)
      }
      assert.equal(await store.count(ours, things, null, query, limits()), 0)
      assert.equal(await store.count(theirs, things, null, query, limits()), 3)
    })
  })
}

const everything: Query = {
  conditions: [],
  searchTerms: [],
  sort: [{ path: ['id'], direction: 'desc' }],
  start: { offset: 0 },
  limit: 1000,
}

function limits(): QueryLimits {
  return {
    signal: () => new AbortController().signal,
    remainingMs: () => 60_000,
    mayBePartial: true,
  }
}

/** A budget for so many statements. */
function statements(left: number): QueryLimits {
  let asked = 0
  return { ...limits(), remainingMs: () => ((asked += 1) > left ? 0 : 60_000) }
}

function is(path: string, operator: Condition['operator'], ...values: string[]): Condition {
  return { path: path.split('.'), operator, values }
}

function idOf(index: number): string {
  return `t${String(index).padStart(5, '0')}`
}

async function openSqlite(): Promise<Store> {
  const directory = await temporaryDirectory()
  const store = await sqliteStore(directory.file('nuncio.db'), sampleCollections)
  return {
    ...store,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      await directory[Symbol.asyncDispose]()
    },
  }
}
