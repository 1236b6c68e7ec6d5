import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accountId } from '../../src/core/account.ts'
import type { Collection } from '../../src/core/collection.ts'
import type { Condition, Query, Scalar, SortKey } from '../../src/core/query.ts'
import { catalogue } from '../../src/stores/sql/catalogue.ts'
import { type Connection, type SqlValue } from '../../src/stores/sql/connection.ts'
import { effort } from '../../src/stores/sql/page.ts'
import { sqlReader } from '../../src/stores/sql/reader.ts'
import { sqliteConnection } from '../../src/stores/sqlite/connection.ts'
import { sqliteDialect } from '../../src/stores/sqlite/dialect.ts'
import { openReader } from '../../src/stores/sqlite/open-file.ts'
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { pieces, sampleCollections, things } from '../conformance/sample-collections.ts'
import { temporaryDirectory } from './temporary-directory.ts'

describe('a list', () => {
  it('by id is a range of the key, from its cursor on', async () => {
    assert.deepEqual(await plan(things, { sort: [by('id', 'desc')], start: { after: ['x'] } }), [
      'SEARCH c/things USING INDEX sqlite_autoindex_c/things_1 (account=? AND id<?)',
    ])
  })

  it('by an indexed field is ranges of its index, from its cursor on', async () => {
    const sort = [by('size', 'asc'), by('id', 'asc')]

    assert.deepEqual(await plan(things, { sort, start: { after: [7, 'x'] } }), [
      'SEARCH c/things USING INDEX i/c/things/f/size (account=? AND f/size=? AND id>?)',
      'SEARCH c/things USING INDEX i/c/things/f/size (account=? AND f/size>?)',
      'SEARCH c/things USING INDEX i/c/things/f/size (account=? AND f/size=?)',
    ])
    assert.deepEqual(await plan(things, { sort, start: { after: [null, 'x'] } }), [
      'SEARCH c/things USING INDEX i/c/things/f/size (account=? AND f/size=? AND id>?)',
    ])
  })

  it('by an indexed field downwards sorts no more than those that share a value', async () => {
    const sort = [by('size', 'desc'), by('id', 'asc')]

    assert.deepEqual(await plan(things, { sort, start: { after: [7, 'x'] } }), [
      'SEARCH c/things USING INDEX i/c/things/f/size (account=? AND f/size=? AND id>?)',
      'SEARCH c/things USING INDEX i/c/things/f/size (account=? AND f/size<?); ' +
        'USE TEMP B-TREE FOR LAST TERM OF ORDER BY',
      'SEARCH c/things USING INDEX i/c/things/f/size (account=? AND f/size=?)',
    ])
  })

  it('sorts nothing on its first page, though nulls come last', async () => {
    assert.deepEqual(await plan(things, { sort: [by('size', 'asc'), by('id', 'asc')] }), [
      'SEARCH c/things USING INDEX i/c/things/f/size (account=?)',
    ])
  })

  it('of what is nested is a range within its parent', async () => {
    const sort = [by('rank', 'asc'), by('id', 'asc')]
    const [, ranked] = await plan(pieces, { sort, start: { after: [1, 'x'] } }, 'parent')
    const [newest] = await plan(pieces, { sort: [by('id', 'desc')] }, 'parent')

    assert.match(ranked ?? '', /f\/rank \(account=\? AND parent=\? AND f\/rank>\?\)$/)
    assert.match(newest ?? '', /autoindex_c\/things\/pieces_1 \(account=\? AND parent=\?\)$/)
  })

  it('of one value of an indexed field needs no sorting by id', async () => {
    const conditions = [is('status.type', 'eq', 'NEW')]
    const sort = [by('id', 'desc')]

    assert.deepEqual(await plan(things, { conditions, sort, start: { after: ['x'] } }), [
      'SEARCH c/things USING INDEX i/c/things/f/status.type (account=? AND f/status.type=? AND id<?)',
    ])
  })

  it('uses the index that leaves the fewest', async () => {
    const conditions = [is('status.type', 'eq', 'NEW'), is('name', 'eq', 'x')]

    const [first] = await plan(things, { conditions, sort: [by('id', 'desc')] })

    assert.match(first ?? '', /USING INDEX i\/c\/things\/f\/name \(account=\? AND f\/name=\?\)$/)
  })

  it('finds texts by their beginning in an index', async () => {
    const [first] = await plan(things, {
      conditions: [is('name', 'like', 'ab*')],
      sort: [by('name', 'asc'), by('id', 'asc')],
    })

    assert.match(first ?? '', /f\/name \(account=\? AND f\/name>\? AND f\/name<\?\)$/)
  })
})

/** How SQLite goes about the statements of a list that choose rows, a line each. */
async function plan(
  collection: Collection,
  parts: Partial<Query>,
  parent: string | null = null,
): Promise<readonly string[]> {
  await using directory = await temporaryDirectory()
  const file = directory.file('nuncio.db')
  await (await sqliteStore(file, sampleCollections))[Symbol.asyncDispose]()
  const database = openReader(file)
  const connection = sqliteConnection(database, file)
  const plans: string[] = []
  const note = (sql: string, params: readonly SqlValue[]): void => {
    const steps = database.prepare(`explain query plan ${sql}`).all(...params)
    plans.push(steps.map((row) => String(row['detail'])).join('; '))
  }
  const recording: Connection = {
    ...connection,
    all: (sql, params) => (note(sql, params), connection.all(sql, params)),
    first: (sql, params) => (note(sql, params), connection.first(sql, params)),
  }
  const session = { connection: recording, catalogue: catalogue(sampleCollections), effort }
  const reader = sqlReader({ ...session, dialect: sqliteDialect }, accountId('ours'))
  await reader.list(collection, parent, { ...everything, ...parts })
  connection.close()
  return plans
}

const everything: Query = {
  conditions: [],
  words: [],
  sort: [by('id', 'asc')],
  start: { offset: 0 },
  limit: 50,
}

function by(path: string, direction: SortKey['direction']): SortKey {
  return { path: path.split('.'), direction }
}

function is(path: string, operator: Condition['operator'], value: Scalar): Condition {
  return { path: path.split('.'), operator, values: [value] }
}
