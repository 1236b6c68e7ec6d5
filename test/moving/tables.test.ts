import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { Client } from 'pg'
import { builtIn } from '../../src/collections/built-in.ts'
import { fixedMoves, movedTables } from '../../src/stores/sql/moving/moved-tables.ts'
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { openPostgres } from '../support/postgres/open-store.ts'
import { temporaryDirectory } from '../stores/temporary-directory.ts'

/** Every table that is moved, or of which it is said why not. */
const known = [...Object.keys(fixedMoves), ...movedTables(builtIn).map(({ name }) => name)]

const skip = await noPostgres()

describe('moving a store', () => {
  it('knows each table of SQLite: one that is added later cannot be forgotten', async () => {
    await using directory = await temporaryDirectory()
    const file = directory.file('nuncio.db')
    await (await sqliteStore(file, builtIn))[Symbol.asyncDispose]()
    const database = new DatabaseSync(file, { readOnly: true })
    const names = database
      .prepare("select name from sqlite_schema where type = 'table'")
      .all()
      .map((row) => String(row['name']))
      .filter((name) => !name.startsWith('sqlite_') && !name.startsWith('s/'))
    database.close()

    assert.ok(names.length > 30)
    assert.deepEqual(
      names.filter((name) => !known.includes(name)),
      [],
    )
  })

  it('knows each table of PostgreSQL', { skip }, async () => {
    await using store = await openPostgres(builtIn)
    const client = new Client({ connectionString: store.url })
    await client.connect()
    const { rows } = await client.query<{ relname: string }>(
      `select relname from pg_class where relkind in ('r', 'p') and not relispartition
        and relnamespace = current_schema()::regnamespace`,
    )
    await client.end()

    const names = rows.map(({ relname }) => relname)
    assert.ok(names.length > 30)
    assert.deepEqual(
      names.filter((name) => !known.includes(name)),
      [],
    )
  })
})
