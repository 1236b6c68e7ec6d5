import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { accountId } from '../../src/core/account.ts'
import type { Collection } from '../../src/core/declaration/collection.ts'
import type { Condition, Query, Scalar, SortKey } from '../../src/core/declaration/query.ts'
import type { RowFilter } from '../../src/core/ports/store.ts'
import { catalogue } from '../../src/stores/sql/tables/catalogue.ts'
import type { SqlConnection } from '../../src/stores/sql/connection.ts'
import { everyCell } from '../../src/stores/sql/tables/slice.ts'
import { sqlReader } from '../../src/stores/sql/rows/reader.ts'
import { sqliteConnection } from '../../src/stores/sqlite/connection.ts'
import { sqliteDialect } from '../../src/stores/sqlite/dialect.ts'
import { openReader } from '../../src/stores/sqlite/open-file.ts'
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
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

describe('a list', () => {
  let file = ''
  const opened = new AsyncDisposableStack()

  before(async () => {
    const directory = opened.use(await temporaryDirectory())
    file = directory.file('nuncio.db')
    const store = opened.use(await sqliteStore(file, sampleCollections))
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
  })
  after(() => opened.disposeAsync())

  /** Returns the plan of the statement of a list, a line for each step. */
  const plan = (
    parts: Partial<Query & RowFilter>,
    { of = things, parent = null }: Partial<Listed> = {},
  ): Promise<readonly string[]> => planOf(file, of, parent, { ...everything, ...parts })

  it('by id is a range of the key, from its cursor on', async () => {
    assert.deepEqual(await plan({ sort: [by('id', 'desc')], start: { after: ['x'] } }), [
      'SEARCH c/things USING INDEX sqlite_autoindex_c/things_1 (cell=? AND account=? AND id<?)',
    ])
  })

  it('by an indexed field is ranges of its index after a cursor, without a sort', async () => {
    const sort = [by('size', 'asc'), by('id', 'asc')]
    const index = 'SEARCH c/things USING INDEX i/c/things/f/size'

    assert.deepEqual(searches(await plan({ sort, start: { after: [7, 'x'] } })), [
      `${index} (cell=? AND account=? AND f/size=? AND id>?)`,
      `${index} (cell=? AND account=? AND f/size>?)`,
      `${index} (cell=? AND account=? AND f/size=?)`,
    ])
    assert.deepEqual(await plan({ sort, start: { after: [null, 'x'] } }), [
      `${index} (cell=? AND account=? AND f/size=? AND id>?)`,
    ])
  })

  it('by an indexed field sorts at most the rows that share a value', async () => {
    const index = 'SEARCH c/things USING INDEX i/c/things/f/size (cell=? AND account=?)'

    assert.deepEqual(await plan({ sort: [by('size', 'asc'), by('id', 'asc')] }), [index])
    assert.deepEqual(await plan({ sort: [by('size', 'desc'), by('id', 'asc')] }), [
      index,
      'USE TEMP B-TREE FOR LAST TERM OF ORDER BY',
    ])
  })

  it('by age is in the order of an index, though nothing declares it', async () => {
    const conditions = [is('createdAt', 'gte', '2026')]

    for (const direction of ['asc', 'desc'] as const) {
      const sort = [by('createdAt', direction), by('id', 'asc')]
      const [first] = await plan({ conditions, sort })
      assert.match(first ?? '', /f\/created_at \(cell=\? AND account=\? AND f\/created_at>\?\)$/)
    }
  })

  it('of what is nested is a range within its parent', async () => {
    const inParent = { of: pieces, parent: 'parent' }
    const sort = [by('rank', 'asc'), by('id', 'asc')]
    const ranked = searches(await plan({ sort, start: { after: [1, 'x'] } }, inParent))
    const [newest] = await plan({ sort: [by('id', 'desc')] }, inParent)

    assert.match(
      ranked[1] ?? '',
      /f\/rank \(cell=\? AND account=\? AND parent=\? AND f\/rank>\?\)$/,
    )
    assert.match(
      newest ?? '',
      /autoindex_c\/things\/pieces_1 \(cell=\? AND account=\? AND parent=\?\)$/,
    )
  })

  it('of members reads their entries in order, from its cursor on', async () => {
    assert.deepEqual(await plan({ start: { after: ['x'] }, ...members }), [
      'SEARCH c/things/pieces USING COVERING INDEX sqlite_autoindex_c/things/pieces_1 ' +
        '(cell=? AND account=? AND parent=? AND id>?)',
      'SEARCH c/things USING INDEX sqlite_autoindex_c/things_1 (cell=? AND account=? AND id=?)',
    ])
  })

  it('of few members by an indexed field begins with those few', async () => {
    const [first] = await plan({ conditions: [is('name', 'eq', 'x')], ...members })

    assert.equal(
      first,
      'SEARCH c/things USING INDEX i/c/things/f/name (cell=? AND account=? AND f/name=?)',
    )
  })

  it('takes the index of a text rather than that of a choice', async () => {
    const conditions = [is('status.type', 'eq', 'OLD'), is('name', 'eq', 'rare')]

    assert.deepEqual(await plan({ conditions, sort: [by('id', 'desc')] }), [
      'SEARCH c/things USING INDEX i/c/things/f/name (cell=? AND account=? AND f/name=?)',
    ])
  })

  it('of a search reads the texts in the order of the list', async () => {
    assert.deepEqual(await plan({ searchTerms: ['rare'], sort: [by('id', 'desc')] }), [
      'SEARCH c/things USING INDEX sqlite_autoindex_c/things_1 (cell=? AND account=?)',
    ])
  })

  it('of a value needs no sorting by id, however frequent the value is', async () => {
    for (const value of ['OLD', 'NEW']) {
      const conditions = [is('status.type', 'eq', value)]

      assert.deepEqual(
        await plan({ conditions, sort: [by('id', 'desc')], start: { after: ['x'] } }),
        [
          'SEARCH c/things USING INDEX i/c/things/f/status.type (cell=? AND account=? AND f/status.type=? AND id<?)',
        ],
      )
    }
  })

  it('finds texts by their beginning in an index', async () => {
    const [first] = await plan({
      conditions: [is('name', 'like', 'ab*')],
      sort: [by('name', 'asc'), by('id', 'asc')],
    })

    assert.match(first ?? '', /f\/name \(cell=\? AND account=\? AND f\/name>\? AND f\/name<\?\)$/)
  })
})

interface Listed {
  readonly of: Collection
  readonly parent: string | null
}

/** The steps that search a table, without those that join their results. */
function searches(plan: readonly string[]): readonly string[] {
  return plan.filter((step) => step.startsWith('SEARCH'))
}

const members: Pick<RowFilter, 'members'> = { members: { entries: pieces, parent: 'p' } }
const everything: Query = {
  conditions: [],
  searchTerms: [],
  sort: [by('id', 'asc')],
  start: { offset: 0 },
  limit: 50,
}

/** Returns the steps by which SQLite runs the one statement of a list. */
async function planOf(
  file: string,
  collection: Collection,
  parent: string | null,
  query: Query & RowFilter,
): Promise<readonly string[]> {
  const database = openReader(file)
  const connection = sqliteConnection(database, file)
  const plans: (readonly string[])[] = []
  const recording: SqlConnection = {
    ...connection,
    all: (sql, params) => {
      const steps = database.prepare(`explain query plan ${sql}`).all(...params)
      plans.push(steps.map((row) => String(row['detail'])))
      return connection.all(sql, params)
    },
  }
  const session = {
    connection: recording,
    catalogue: catalogue(sampleCollections, sqliteDialect),
    dialect: sqliteDialect,
    slices: everyCell,
  }
  await sqlReader(session, ours).list(collection, parent, query)
  connection.close()
  assert.equal(plans.length, 1)
  return plans[0] ?? []
}

function by(path: string, direction: SortKey['direction']): SortKey {
  return { path: path.split('.'), direction }
}

function is(path: string, operator: Condition['operator'], ...values: Scalar[]): Condition {
  return { path: path.split('.'), operator, values }
}
