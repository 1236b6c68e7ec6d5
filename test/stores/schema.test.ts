import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { Client } from 'pg'
import type { Store } from '../../src/core/ports/store.ts'
import { postgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { currentSchema, type StoreSchema } from '../../src/stores/sql/tables/schema-change.ts'
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { sampleCollections } from '../conformance/sample-collections.ts'
import { noPostgres, testDatabase } from '../support/postgres/database.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/** A database that can be opened by stores of several schemas, and by other programs. */
interface OpenedBySeveral extends AsyncDisposable {
  open(schema?: StoreSchema): Promise<Store>
  run(sql: string): Promise<void>
}

const nextVersion = currentSchema.version + 1

/** A made-up next version, whose change fails if it runs twice. */
const next: StoreSchema = {
  version: nextVersion,
  changes: [{ version: nextVersion, statements: ['alter table leases add column made_up text'] }],
}

const databases: Readonly<
  Record<string, { make: () => Promise<OpenedBySeveral>; skip: string | false }>
> = {
  SQLite: { make: sqliteFile, skip: false },
  PostgreSQL: { make: postgresDatabase, skip: await noPostgres() },
}

for (const [name, { make, skip }] of Object.entries(databases)) {
  describe(`a store of another schema version on ${name}`, { skip }, () => {
    it('is brought up to date once, and is refused by the version before', async () => {
      await using database = await make()
      await close(await database.open())

      await close(await database.open(next))
      await close(await database.open(next))

      await database.run('select made_up from leases')
      await assert.rejects(
        database.open(),
        /newer version of Nuncio \(schema 2; this one knows 1\)/,
      )
    })

    it('is made in the newest version, without the changes', async () => {
      await using database = await make()

      await close(await database.open(next))

      await assert.rejects(database.run('select made_up from leases'))
    })

    for (const table of ['early_receipts', 'buckets']) {
      it(`is refused if a commit before the first release made it, with ${table}`, async () => {
        await using database = await make()
        await close(await database.open())
        await database.run(`create table ${table} (name text)`)

        await assert.rejects(database.open(), /commit before the first release/)
      })
    }
  })
}

async function close(store: Store): Promise<void> {
  await store[Symbol.asyncDispose]()
}

async function sqliteFile(): Promise<OpenedBySeveral> {
  const directory = await temporaryDirectory()
  const file = directory.file('nuncio.db')
  return {
    open: (schema = currentSchema) => sqliteStore(file, sampleCollections, () => {}, { schema }),
    run: async (sql) => {
      const database = new DatabaseSync(file)
      try {
        database.exec(sql)
      } finally {
        database.close()
      }
    },
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  }
}

async function postgresDatabase(): Promise<OpenedBySeveral> {
  const { url, [Symbol.asyncDispose]: dispose } = await testDatabase()
  return {
    open: (schema = currentSchema) => postgresStore(url, sampleCollections, () => {}, { schema }),
    run: async (sql) => {
      const client = new Client({ connectionString: url })
      await client.connect()
      try {
        await client.query(sql)
      } finally {
        await client.end()
      }
    },
    [Symbol.asyncDispose]: dispose,
  }
}
