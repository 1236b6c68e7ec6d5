import assert from 'node:assert/strict'
import { stat, writeFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { accountId } from '../../src/core/account.ts'
import { collection } from '../../src/core/declaration/collection.ts'
import { text } from '../../src/core/declaration/field.ts'
import { StoreUnavailable, where, type Store } from '../../src/core/ports/store.ts'
import { backUpFile } from '../../src/stores/sqlite/back-up.ts'
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const notes = collection({
  name: 'notes',
  noun: 'note',
  description: 'A note.',
  fields: { body: text() },
})
const ours = accountId('ours')

describe('a backup of a SQLite file', () => {
  it('has the state at its start, although the service writes meanwhile', async () => {
    await using directory = await temporaryDirectory()
    const [from, to] = [directory.file('nuncio.db'), directory.file('copy.db')]
    await using store = await sqliteStore(from, [notes])
    await save(store, 300, 'before')
    const writes: Promise<void>[] = []

    await backUpFile(from, to, () => writes.push(save(store, 3, 'after')))

    await Promise.all(writes)
    assert.ok(writes.length > 0)
    assert.equal((await stat(to)).mode & 0o777, 0o600)
    await using restored = await sqliteStore(to, [notes])
    const found = await restored.read(ours, (reader) => reader.list(notes, null, where([], 1000)))
    assert.equal(found.length, 300)
    for (const { doc } of found) assert.match(doc, /before/)
  })

  it('overwrites no file, and leaves none if the source is not a store', async () => {
    await using directory = await temporaryDirectory()
    const [from, to] = [directory.file('nuncio.db'), directory.file('copy.db')]
    await (await sqliteStore(from, [notes]))[Symbol.asyncDispose]()
    await writeFile(to, 'precious')

    await assert.rejects(
      backUpFile(from, to, () => {}),
      StoreUnavailable,
    )

    assert.equal((await stat(to)).size, 'precious'.length)
    const other = directory.file('other.db')
    await assert.rejects(
      backUpFile(to, other, () => {}),
      StoreUnavailable,
    )
    await assert.rejects(stat(other))
  })
})

async function save(store: Store, count: number, word: string): Promise<void> {
  await store.transact(async (transaction) => {
    for (let index = 0; index < count; index += 1) {
      const id = `note${index}`
      await transaction.in(ours).save(notes, { id }, { id, body: word.repeat(4000) }, null)
    }
  })
}
