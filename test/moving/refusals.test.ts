import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { builtIn } from '../../src/collections/built-in.ts'
import { contacts } from '../../src/collections/contacts.ts'
import { defaultAccount } from '../../src/core/account.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { postgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { noPostgres, testDatabase } from '../support/postgres/database.ts'
import { temporaryDirectory } from '../stores/temporary-directory.ts'
import { move } from './support/move.ts'

const skip = await noPostgres()

describe('moving a store is refused', { skip }, () => {
  it('while a node has the source open', async () => {
    await using directory = await temporaryDirectory()
    await using database = await testDatabase()
    const file = directory.file('nuncio.db')
    await using open = await sqliteStore(file, builtIn)
    await using other = await postgresStore(database.url, builtIn)
    const target = directory.file('other.db')
    // A store connects after it was opened: a busy machine moved it before.
    await other.log.end(defaultAccount)

    await assert.rejects(move(`sqlite:${file}`, database.url), /in use by another process; stop it/)
    await assert.rejects(
      move(database.url, `sqlite:${target}`),
      /is in use by a node or by another move; stop all nodes/,
    )
    assert.deepEqual([open.name, other.name], ['sqlite', 'postgres'])
  })

  it('where the target has something already', async () => {
    await using directory = await temporaryDirectory()
    await using database = await testDatabase()
    const file = directory.file('nuncio.db')
    await withContact(await sqliteStore(file, builtIn), 'here')
    await withContact(await postgresStore(database.url, builtIn), 'there')

    await assert.rejects(move(`sqlite:${file}`, database.url), /is not empty, it has rows in/)
    await assert.rejects(move(database.url, `sqlite:${file}`), /is not empty, it has rows in/)
  })

  it('where there is nothing to move, or it is of another program', async () => {
    await using directory = await temporaryDirectory()
    await using database = await testDatabase()
    const other = directory.file('other.db')
    const theirs = new DatabaseSync(other)
    theirs.exec('create table cards (id)')
    theirs.close()

    await assert.rejects(
      move(`sqlite:${directory.file('none.db')}`, database.url),
      /there is no file .*none\.db/,
    )
    await assert.rejects(move(`sqlite:${other}`, database.url), /a database of another program/)
    await assert.rejects(move(database.url, `sqlite:${other}`), /holds no store/)
  })

  it('by a start on a target whose move is not finished, and by a move from elsewhere', async () => {
    await using directory = await temporaryDirectory()
    await using database = await testDatabase()
    const [file, second] = [directory.file('nuncio.db'), directory.file('second.db')]
    await withContact(await sqliteStore(file, builtIn), 'nul')
    await withContact(await sqliteStore(second, builtIn), 'fine')
    const raw = new DatabaseSync(file)
    raw.exec('update "c/contacts" set doc = doc || char(0) where id = \'nul\'')
    raw.close()

    await assert.rejects(
      move(`sqlite:${file}`, database.url),
      /column doc of c\/contacts has the character U\+0000/,
    )

    await assert.rejects(
      postgresStore(database.url, builtIn),
      /a move from sqlite:.*nuncio\.db into it is not finished; run the same/,
    )
    await assert.rejects(
      move(`sqlite:${second}`, database.url),
      /holds a move from sqlite:.*nuncio\.db that is not finished/,
    )
  })

  it('and what was changed in the source meanwhile is noticed', async () => {
    await using directory = await temporaryDirectory()
    await using database = await testDatabase()
    const file = directory.file('nuncio.db')
    await withContact(await sqliteStore(file, builtIn), 'one')
    await withContact(await sqliteStore(file, builtIn), 'nul')
    const raw = new DatabaseSync(file)
    raw.exec('update "c/contacts" set hidden = char(0) where id = \'nul\'')
    await assert.rejects(move(`sqlite:${file}`, database.url), /U\+0000/)
    raw.exec('update "c/contacts" set hidden = null where id = \'nul\'')
    raw.exec("insert into senders (address, cell, account, sent_at) values ('+1', 0, 'a', 1)")
    raw.close()

    await assert.rejects(
      move(`sqlite:${file}`, database.url),
      /the table senders has 1 rows .* and 0 .*; empty the target, and start the move again/s,
    )
  })
})

async function withContact(store: Store, id: string): Promise<void> {
  const contact = { id, name: id, address: id, createdAt: '2026-01-01T00:00:00.000Z' }
  await store.transact((tx) => tx.in(defaultAccount).save(contacts, { id }, contact, null))
  await store[Symbol.asyncDispose]()
}
