import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { builtIn } from '../../src/collections/built-in.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { temporaryDirectory } from '../stores/temporary-directory.ts'
import { startApi } from '../support/api.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { openPostgres } from '../support/postgres/open-store.ts'

const skipPostgres = await noPostgres()

/** Each has the character U+0000, which PostgreSQL cannot store. */
const targets = [
  'messages/a%00b',
  'webhooks/a%00b/deliveries',
  'webhooks/w/deliveries/a%00b',
  'messages?search=a%00b',
  'contacts?name=a%00b',
  'contacts?name_like=a%00*',
  'notifications?after=a%00b',
  'webhooks/w/deliveries?after=%00',
]

const stores: Readonly<Record<string, { open: () => Promise<Store>; skip: string | false }>> = {
  SQLite: { open: openSqlite, skip: false },
  PostgreSQL: { open: () => openPostgres(builtIn), skip: skipPostgres },
}

for (const [name, { open, skip }] of Object.entries(stores)) {
  describe(`the character U+0000 in a request to ${name}`, { skip }, () => {
    it('is an error of the client', async (t) => {
      const api = await startApi(t, { store: await open() })
      await api.put('/v1/webhooks/w', { url: 'http://127.0.0.1:9/w' })

      for (const target of targets) {
        const { status } = await api.get(`/v1/${target}`)
        assert.ok(status === 400 || status === 404, `${target}: ${status}`)
      }
      for (const status of [
        (await api.put('/v1/contacts/a%00b', { name: 'Ada', address: '+4915112345678' })).status,
        (await api.patch('/v1/contacts/a%00b', { name: 'Ada' })).status,
        (await api.delete('/v1/contacts/a%00b')).status,
      ]) {
        assert.ok(status === 400 || status === 404, String(status))
      }
    })
  })
}

async function openSqlite(): Promise<Store> {
  const directory = await temporaryDirectory()
  const store = await sqliteStore(directory.file('store.db'), builtIn)
  return {
    ...store,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      await directory[Symbol.asyncDispose]()
    },
  }
}
