import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { accountId } from '../../src/core/account.ts'
import type { JsonObject } from '../../src/core/json.ts'
import type { Condition, Query } from '../../src/core/declaration/query.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { memoryStore } from '../oracle/memory-store.ts'
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { aThing, sampleCollections, things } from '../conformance/sample-collections.ts'
import { aNotification } from '../conformance/sample-notifications.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const ours = accountId('ours')
/** More than several pieces of a list. */
const count = 5000

describe('a long read', () => {
  let memory: Store
  let sqlite: Store
  const stack = new AsyncDisposableStack()

  before(async () => {
    const directory = stack.use(await temporaryDirectory())
    memory = stack.use(memoryStore(sampleCollections))
    sqlite = stack.use(await sqliteStore(directory.file('nuncio.db'), sampleCollections))
    await fill(memory)
    await fill(sqlite)
  })
  after(() => stack.disposeAsync())

  for (const [title, asked] of [
    ['a search that finds much', { searchTerms: ['odd'] }],
    ['a search that finds the last', { searchTerms: ['4999'] }],
    ['a search that finds nothing', { searchTerms: ['nowhere'] }],
    ['a search for two letters that finds nothing', { searchTerms: ['zq'] }],
    ['a search for two letters that finds few', { searchTerms: ['77'] }],
    ['a search behind a place', { searchTerms: ['odd'], start: { after: ['t02500'] } }],
    ['a search from an offset', { searchTerms: ['odd'], start: { offset: 700 } }],
    ['a text that has no index', { conditions: [is('note', 'eq', 'number 7', 'number 4001')] }],
    ['a text in the middle', { conditions: [is('name', 'like', '*99')] }],
    ['what is not', { conditions: [is('status.type', 'ne', 'NEW')] }],
    [
      'two values and a word',
      { conditions: [is('status.type', 'eq', 'OLD', 'NEW')], searchTerms: ['9'] },
    ],
    [
      'a word and a choice',
      { conditions: [is('status.type', 'eq', 'OLD')], searchTerms: ['even'] },
    ],
  ] satisfies [string, Partial<Query>][]) {
    it(`gives the same as a plain one: ${title}`, async () => {
      for (const direction of ['asc', 'desc'] as const) {
        const sort = [{ path: ['id'], direction }]
        for (const limit of [3, 1000, 6000]) {
          const start = { offset: 0 }
          const query: Query = { conditions: [], searchTerms: [], start, limit, ...asked, sort }

          assert.deepEqual(await ask(sqlite, query), await ask(memory, query))
        }
      }
    })
  }

  it('of the log counts all of it', async () => {
    await sqlite.transact(async (tx) => {
      for (let index = 0; index < 25_000; index += 1) {
        const account = index % 5 === 0 ? accountId('other') : ours
        const status = index % 2 === 0 ? 'SENT' : 'DELIVERED'
        await tx.in(account).notify(aNotification(`m${index}`, { status }))
      }
    })

    const wanted = { types: ['SENT'], statuses: ['DELIVERED'] }
    const [first] = await sqlite.log.read(ours, null, wanted, 1)

    assert.equal(await sqlite.log.count(ours, null, wanted), 10_000)
    assert.equal(await sqlite.log.count(ours, first?.position ?? null, wanted), 9_999)
  })
})

function fill(store: Store): Promise<void> {
  return store.transact(async (tx) => {
    for (let index = 0; index < count; index += 1) {
      const id = `t${String(index).padStart(5, '0')}`
      await tx.in(ours).save(things, { id }, aThing(id, fieldsOf(index)), null)
    }
  })
}

function fieldsOf(index: number): JsonObject {
  return {
    name: `${index % 2 === 0 ? 'even' : 'odd'} ${index}`,
    note: `number ${index}`,
    status: { id: null, type: index % 10 === 0 ? 'OLD' : 'NEW' },
  }
}

function is(path: string, operator: Condition['operator'], ...values: string[]): Condition {
  return { path: path.split('.'), operator, values }
}

async function ask(store: Store, query: Query): Promise<{ list: string[]; count: number }> {
  return store.read(ours, async (reader) => ({
    list: (await reader.list(things, null, query)).map(({ id }) => id),
    count: await reader.count(things, null, query),
  }))
}
