import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { accountId } from '../../src/core/account.ts'
import type { Collection } from '../../src/core/declaration/collection.ts'
import type { Condition, Query, Scalar, SortKey } from '../../src/core/declaration/query.ts'
import type { RowFilter } from '../../src/core/ports/store.ts'
import { catalogue } from '../../src/stores/sql/tables/catalogue.ts'
import type { SqlConnection, SqlValue } from '../../src/stores/sql/connection.ts'
import { effort } from '../../src/stores/sql/lists/effort.ts'
import { sqlReader } from '../../src/stores/sql/rows/reader.ts'
import { sqliteConnection } from '../../src/stores/sqlite/connection.ts'
import { sqliteDialect } from '../../src/stores/sqlite/dialect.ts'
import { openReader } from '../../src/stores/sqlite/open-file.ts'
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { virtualClock } from '../support/virtual-clock.ts'
import {
  aPiece,
  aThing,
  pieces,
  sampleCollections,
  things,
} from '../conformance/sample-collections.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const ours = accountId('ours')
const rows = 60
const small = { sortedInIndex: 20, sorted: 20, walked: 30, sortedAtMost: 20, values: 2 }

describe('a list', () => {
  let file = ''
  const opened = new AsyncDisposableStack()

  before(async () => {
    const directory = opened.use(await temporaryDirectory())
    file = directory.file('nuncio.db')
    const clock = virtualClock()
    const store = opened.use(await sqliteStore(file, sampleCollections, () => {}, { clock }))
    await store.transact(async (tx) => {
      for (let index = 0; index < rows; index += 1) {
        const id = `t${String(index).padStart(2, '0')}`
        const name = index === 7 ? 'rare' : `frequent ${index % 2}`
        const type = index < 3 ? 'OLD' : 'NEW'
        const fields = { name, note: 'n', size: index, status: { id: null, type } }
        await tx.in(ours).save(things, { id }, aThing(id, fields), null)
      }
      await tx.in(ours).save(pieces, { id: 't01', parent: 'p' }, aPiece('t01', { rank: 1 }), null)
    })
    await clock.advance(1000)
  })
  after(() => opened.disposeAsync())

  /** How SQLite goes about the statements of a list, a line each; `few` rows are some, and a walk is short. */
  const plan = (
    parts: Partial<Query & RowFilter>,
    { of = things, parent = null, few = effort }: Partial<Asked> = {},
  ): Promise<readonly string[]> => plansOf(file, of, parent, { ...everything, ...parts }, few)

  it('by id is a range of the key, from its cursor on', async () => {
    assert.deepEqual(await plan({ sort: [by('id', 'desc')], start: { after: ['x'] } }), [
      'SEARCH c/things USING INDEX sqlite_autoindex_c/things_1 (account=? AND id<?)',
    ])
  })

  it('by an indexed field is ranges of its index, from its cursor on', async () => {
    const sort = [by('size', 'asc'), by('id', 'asc')]

    assert.deepEqual(await plan({ sort, start: { after: [7, 'x'] } }), [
      'SEARCH c/things USING INDEX i/c/things/f/size (account=? AND f/size=? AND id>?)',
      'SEARCH c/things USING INDEX i/c/things/f/size (account=? AND f/size>?)',
    ])
    assert.deepEqual(await plan({ sort, start: { after: [null, 'x'] } }), [
      'SEARCH c/things USING INDEX i/c/things/f/size (account=? AND f/size=? AND id>?)',
    ])
  })

  it('by an indexed field downwards takes value by value, and sorts those of no large one', async () => {
    const sort = [by('size', 'desc'), by('id', 'asc')]
    const next = 'USING COVERING INDEX i/c/things/f/size (account=? AND f/size>? AND f/size<?)'
    const same = 'SEARCH c/things USING COVERING INDEX i/c/things/f/size (account=? AND f/size=?)'

    assert.deepEqual(
      new Set(await plan({ sort, start: { after: [30, 'x'] }, limit: 3 })),
      new Set([
        `${same.slice(0, -1)} AND id>?)`,
        `SEARCH c/things ${next}`,
        same,
        'SEARCH c/things USING COVERING INDEX i/c/things/f/size (account=? AND f/size<?)',
        rowsAtPlaces,
      ]),
    )
  })

  it('sorts nothing on its first page, though nulls come last', async () => {
    assert.deepEqual(await plan({ sort: [by('size', 'asc'), by('id', 'asc')] }), [
      'SEARCH c/things USING INDEX i/c/things/f/size (account=?)',
    ])
  })

  it('skips to a far page in the index alone', async () => {
    const [byId] = await plan({ sort: [by('id', 'desc')], start: { offset: 999_950 } })
    const [byName] = await plan({
      sort: [by('name', 'desc'), by('id', 'asc')],
      start: { offset: 999_950 },
    })
    const [byNote] = await plan({
      sort: [by('note', 'asc'), by('id', 'asc')],
      start: { offset: 999_950 },
    })

    assert.equal(
      byId,
      'SEARCH c/things USING COVERING INDEX sqlite_autoindex_c/things_1 (account=?)',
    )
    assert.match(byName ?? '', /USING COVERING INDEX i\/c\/things\/f\/name \(account=\?\); USE/)
    assert.match(byNote ?? '', /USE TEMP B-TREE FOR ORDER BY$/)
  })

  it('by age is a range of an index, though nothing declares it', async () => {
    const conditions = [is('createdAt', 'gte', '2026')]

    const [up] = await plan({ conditions, sort: [by('createdAt', 'asc'), by('id', 'asc')] })
    const [down] = await plan({ conditions, sort: [by('createdAt', 'desc'), by('id', 'asc')] })

    for (const first of [up, down]) {
      assert.match(first ?? '', /f\/created_at \(account=\? AND f\/created_at>\?\)/)
    }
  })

  it('of what is nested is a range within its parent', async () => {
    const inParent = { of: pieces, parent: 'parent' }
    const sort = [by('rank', 'asc'), by('id', 'asc')]
    const [, ranked] = await plan({ sort, start: { after: [1, 'x'] } }, inParent)
    const [newest] = await plan({ sort: [by('id', 'desc')] }, inParent)

    assert.match(ranked ?? '', /f\/rank \(account=\? AND parent=\? AND f\/rank>\?\)$/)
    assert.match(newest ?? '', /autoindex_c\/things\/pieces_1 \(account=\? AND parent=\?\)$/)
  })

  it('of one value of an indexed field needs no sorting by id', async () => {
    const conditions = [is('status.type', 'eq', 'NEW')]
    const sort = [by('id', 'desc')]

    assert.deepEqual(await plan({ conditions, sort, start: { after: ['x'] } }), [
      'SEARCH c/things USING INDEX i/c/things/f/status.type (account=? AND f/status.type=? AND id<?)',
    ])
  })

  it('of several values of an indexed field is a range of the index for each', async () => {
    const conditions = [is('status.type', 'eq', 'NEW', 'OLD')]

    const [merged] = await plan({ conditions, sort: [by('id', 'desc')], start: { after: ['x'] } })

    assert.equal(merged?.match(/f\/status.type=\? AND id<\?\)/g)?.length, 2)
  })

  it('of members reads their entries in order, from its cursor on', async () => {
    assert.deepEqual(await plan({ start: { after: ['x'] }, ...members }), [
      'SEARCH c/things/pieces USING COVERING INDEX sqlite_autoindex_c/things/pieces_1 ' +
        '(account=? AND parent=? AND id>?); ' +
        'SEARCH c/things USING INDEX sqlite_autoindex_c/things_1 (account=? AND id=?)',
    ])
  })

  it('of members that an index makes few looks for each among the entries', async () => {
    const [first] = await plan({ conditions: [is('name', 'eq', 'x')], ...members })

    assert.match(
      first ?? '',
      /^SEARCH c\/things USING INDEX i\/c\/things\/f\/name .*; SEARCH entry .*AND id=\?\)$/,
    )
  })

  it('takes the index that leaves few, and sorts those', async () => {
    const conditions = [is('status.type', 'eq', 'NEW'), is('name', 'eq', 'rare')]

    const plans = await plan({ conditions, sort: [by('id', 'desc')] }, { few: small })

    assert.match(plans[0] ?? '', /COVERING INDEX i\/c\/things\/f\/status.type/)
    assert.match(plans[1] ?? '', /COVERING INDEX i\/c\/things\/f\/name/)
    assert.deepEqual(plans.slice(2), [
      'SEARCH c/things USING INDEX i/c/things/f/name (account=? AND f/name=?); ' +
        'USE TEMP B-TREE FOR ORDER BY',
      rowsAtPlaces,
    ])
  })

  it('walks along the order where every index leaves many', async () => {
    const conditions = [is('status.type', 'eq', 'NEW'), is('name', 'gte', 'f')]

    const walked = await plan({ conditions, sort: bySize, limit: 5 }, { few: small })

    assert.ok(walked.some((one) => /i\/c\/things\/f\/size \(account=\?\)/.test(one)))
    assert.ok(walked.every((one) => !one.includes('TEMP B-TREE')))
  })

  it('takes an index after all where a walk does not fill the page', async () => {
    const conditions = [is('name', 'gte', 'r'), is('note', 'eq', 'other')]
    const fewer = { ...small, sorted: 0, sortedInIndex: 0 }

    const plans = await plan({ conditions, sort: bySize }, { few: fewer })

    assert.match(
      plans.at(-1) ?? '',
      /i\/c\/things\/f\/name \(account=\? AND f\/name>\?\); USE TEMP/,
    )
  })

  it('of a word is what the search index has, where that is little', async () => {
    const plans = await plan({ searchTerms: ['rare'] }, { few: small })

    assert.match(plans[0] ?? '', /SCAN s\/things VIRTUAL TABLE/)
    assert.match(plans[0] ?? '', /SEARCH c\/things USING INTEGER PRIMARY KEY \(rowid>\?\)/)
    assert.match(plans[1] ?? '', /^SEARCH c\/things USING INTEGER PRIMARY KEY \(rowid=\?\)/)
    assert.ok(plans.slice(1).every((one) => !one.includes('s/things')))
    assert.ok(plans.every((one) => !one.includes('c/things_1')))
  })

  it('of a frequent word walks along the order', async () => {
    const plans = await plan({ searchTerms: ['frequent'], limit: 5 }, { few: small })

    assert.match(plans[1] ?? '', /sqlite_autoindex_c\/things_1 \(account=\?\)/)
    assert.ok(plans.every((one) => !one.includes('TEMP B-TREE')))
  })

  it('of a short word walks, and then asks the search index for what begins so', async () => {
    const plans = await plan({ searchTerms: ['z'] }, { few: { ...small, sortedAtMost: 100 } })

    assert.match(plans[0] ?? '', /sqlite_autoindex_c\/things_1 \(account=\?\)/)
    assert.match(plans.at(-1) ?? '', /SCAN s\/things VIRTUAL TABLE/)
  })

  it('finds texts by their beginning in an index', async () => {
    const [first] = await plan({
      conditions: [is('name', 'like', 'ab*')],
      sort: [by('name', 'asc'), by('id', 'asc')],
    })

    assert.match(first ?? '', /f\/name \(account=\? AND f\/name>\? AND f\/name<\?\)$/)
  })
})

interface Asked {
  readonly of: Collection
  readonly parent: string | null
  readonly few: typeof effort
}

const rowsAtPlaces =
  'SEARCH c/things USING INTEGER PRIMARY KEY (rowid=?); LIST SUBQUERY 1; ' +
  'SCAN json_each VIRTUAL TABLE INDEX 1:'
const bySize = [by('size', 'asc'), by('id', 'asc')]
const members: Pick<RowFilter, 'members'> = { members: { entries: pieces, parent: 'p' } }
const everything: Query = {
  conditions: [],
  searchTerms: [],
  sort: [by('id', 'asc')],
  start: { offset: 0 },
  limit: 50,
}

/** The statements that a list runs, as SQLite explains them. */
async function plansOf(
  file: string,
  collection: Collection,
  parent: string | null,
  query: Query & RowFilter,
  few: typeof effort,
): Promise<readonly string[]> {
  const database = openReader(file)
  const connection = sqliteConnection(database, file)
  const plans: string[] = []
  const note = (sql: string, params: readonly SqlValue[]): void => {
    const steps = database.prepare(`explain query plan ${sql}`).all(...params)
    plans.push(steps.map((row) => String(row['detail'])).join('; '))
  }
  const recording: SqlConnection = {
    ...connection,
    all: (sql, params) => {
      note(sql, params)
      return connection.all(sql, params)
    },
    first: (sql, params) => {
      note(sql, params)
      return connection.first(sql, params)
    },
    within: () => recording,
  }
  const tables = catalogue(sampleCollections)
  const session = { connection: recording, catalogue: tables, dialect: sqliteDialect }
  await sqlReader({ ...session, effort: few, choices: null, pause: null }, ours).list(
    collection,
    parent,
    query,
  )
  connection.close()
  return plans
}

function by(path: string, direction: SortKey['direction']): SortKey {
  return { path: path.split('.'), direction }
}

function is(path: string, operator: Condition['operator'], ...values: Scalar[]): Condition {
  return { path: path.split('.'), operator, values }
}
