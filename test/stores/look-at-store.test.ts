import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { systemClock } from '../../src/core/ports/clock.ts'
import { StoreUnavailable } from '../../src/core/ports/store.ts'
import { lookAtDatabase } from '../../src/stores/postgres/schema/postgres-end.ts'
import { postgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { lookAtFile } from '../../src/stores/sqlite/look-at-file.ts'
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { sampleCollections } from '../conformance/sample-collections.ts'
import { noPostgres, testDatabase } from '../support/postgres/database.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const skip = await noPostgres()

describe('a look at a store', () => {
  it('sees a file that a service uses, and creates none', async () => {
    await using directory = await temporaryDirectory()
    const [file, none] = [directory.file('nuncio.db'), directory.file('none.db')]
    await using _store = await sqliteStore(file, sampleCollections)

    const look = await lookAtFile(file)
    const absent = [await lookAtFile(none), await lookAtFile(none)]

    assert.deepEqual([look.exists, look.name], [true, file])
    assert.ok((look.freeBytes ?? 0) > 0)
    assert.deepEqual(
      absent.map(({ exists }) => exists),
      [false, false],
    )
  })

  it('refuses a file of another program', async () => {
    await using directory = await temporaryDirectory()
    const file = directory.file('text.db')
    await writeFile(file, 'a letter, and no database at all')

    await assert.rejects(lookAtFile(file), StoreUnavailable)
  })

  it('compares the clock with that of PostgreSQL', { skip }, async () => {
    await using database = await testDatabase()
    await assert.rejects(lookAtDatabase(database.url, systemClock), /holds no store/)
    await using _store = await postgresStore(database.url, sampleCollections)
    const slow = { ...systemClock, now: () => systemClock.now() - 60_000 }

    assert.ok(Math.abs(await lookAtDatabase(database.url, systemClock)) < 1_000)
    assert.ok((await lookAtDatabase(database.url, slow)) < -59_000)
  })
})
