import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { accountId } from '../../src/core/account.ts'
import { collection, type Collection } from '../../src/core/collection.ts'
import { reference } from '../../src/core/field.ts'
import type { Condition, Query, Scalar, SortKey } from '../../src/core/query.ts'
import type { Filter } from '../../src/core/store.ts'
import { catalogue } from '../../src/stores/sql/catalogue.ts'
import { pageStatements } from '../../src/stores/sql/list-statements.ts'
import { sqliteDialect } from '../../src/stores/sqlite/dialect.ts'
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

  it('by age is a range of an index, though nothing declares it', async () => {
    const sort = [by('createdAt', 'desc'), by('id', 'asc')]

    const [first] = await plan(things, { conditions: [is('createdAt', 'gte', '2026')], sort })

    assert.match(first ?? '', /f\/created_at \(account=\? AND f\/created_at>\?\)/)
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

  it('of members reads their entries in order, from its cursor on', async () => {
    const sort = [by('id', 'asc')]
    const parts = { sort, start: { after: ['x'] }, ...members }

    assert.deepEqual(await plan(things, parts), [
      'SEARCH c/things/pieces USING COVERING INDEX sqlite_autoindex_c/things/pieces_1 ' +
        '(account=? AND parent=? AND id>?); ' +
        'SEARCH c/things USING INDEX sqlite_autoindex_c/things_1 (account=? AND id=?)',
    ])
  })

  it('of members that an index makes few looks for each among the entries', async () => {
    const conditions = [is('name', 'eq', 'x')]

    const [first] = await plan(things, { conditions, sort: [by('id', 'asc')], ...members })

    assert.match(
      first ?? '',
      /^SEARCH c\/things USING INDEX i\/c\/things\/f\/name .*; SEARCH entry .*AND id=\?\)$/,
    )
  })

  it('uses the index that leaves the fewest', async () => {
    const conditions = [is('status.type', 'eq', 'NEW'), is('name', 'eq', 'x')]

    const [first] = await plan(things, { conditions, sort: [by('id', 'desc')] })

    assert.match(first ?? '', /USING INDEX i\/c\/things\/f\/name \(account=\? AND f\/name=\?\)$/)
  })

  it('of those that refer to an instance is a range of an index, whatever their parents', async () => {
    const links = collection({
      name: 'links',
      noun: 'link',
      description: 'From one thing to another.',
      parent: 'things',
      fields: { to: reference('things', { nullable: true, indexed: true }) },
    })
    const conditions = [is('to', 'eq', 'x')]

    const [anywhere] = await plan(links, { conditions, sort: [by('id', 'asc')] })
    const [within] = await plan(links, { conditions, sort: [by('id', 'asc')] }, 'parent')

    assert.match(anywhere ?? '', /f\/to \(account=\? AND f\/to=\?\)/)
    assert.match(within ?? '', /f\/to \(account=\? AND f\/to=\? AND parent=\?\)$/)
  })

  it('finds texts by their beginning in an index', async () => {
    const [first] = await plan(things, {
      conditions: [is('name', 'like', 'ab*')],
      sort: [by('name', 'asc'), by('id', 'asc')],
    })

    assert.match(first ?? '', /f\/name \(account=\? AND f\/name>\? AND f\/name<\?\)$/)
  })
})

const members: Pick<Filter, 'members'> = { members: { entries: pieces, parent: 'p' } }

/** How SQLite goes about the statements of a page, a line each. */
async function plan(
  asked: Collection,
  parts: Partial<Query & Filter>,
  parent: string | null = null,
): Promise<readonly string[]> {
  await using directory = await temporaryDirectory()
  const file = directory.file('nuncio.db')
  const collections = [...new Set([...sampleCollections, asked])]
  await (await sqliteStore(file, collections))[Symbol.asyncDispose]()
  using database = new DatabaseSync(file)
  const tables = catalogue(collections)
  const table = tables.of(asked)
  const below = parts.members
  const scope = {
    account: accountId('ours'),
    parent,
    members: below ? { entries: tables.of(below.entries), parent: below.parent } : null,
  }
  const query = { conditions: [], words: [], sort: [], start: { offset: 0 }, limit: 50, ...parts }

  return pageStatements(sqliteDialect, table, scope, query).map(({ sql, params }) =>
    database
      .prepare(`explain query plan ${sql} limit 50`)
      .all(...params)
      .map((row) => String(row['detail']))
      .join('; '),
  )
}

function by(path: string, direction: SortKey['direction']): SortKey {
  return { path: path.split('.'), direction }
}

function is(path: string, operator: Condition['operator'], value: Scalar): Condition {
  return { path: path.split('.'), operator, values: [value] }
}
