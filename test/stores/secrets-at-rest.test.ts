import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { Client } from 'pg'
import { builtIn } from '../../src/collections/built-in.ts'
import { accountId } from '../../src/core/account.ts'
import { collection } from '../../src/core/declaration/collection.ts'
import { map, text } from '../../src/core/declaration/field.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { StoreUnavailable, where, type Store } from '../../src/core/ports/store.ts'
import { postgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { secretCipher } from '../../src/stores/secret-cipher.ts'
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { move } from '../moving/support/move.ts'
import { startApi } from '../support/api.ts'
import { noPostgres, testDatabase } from '../support/postgres/database.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const doors = collection({
  name: 'doors',
  noun: 'door',
  description: 'A door.',
  fields: {
    name: text(),
    code: text({ writeOnly: true }),
    codes: map(text(), { internal: true, secret: true }),
    room: text({ internal: true }),
  },
})
const ours = accountId('ours')
const [first, second] = ['first '.repeat(8), 'second '.repeat(8)]
const hidden = { code: 'sesame', codes: { other: 'simsim' }, room: 'cave' }

/** A place that a store is opened at more than once. */
interface Place extends AsyncDisposable {
  readonly location: string
  open(keys: readonly string[]): Promise<Store>
  /** Returns the hidden texts as they are stored. */
  rows(): Promise<readonly string[]>
}

const rowsOf = 'select hidden from "c/doors" order by id'

async function sqlitePlace(): Promise<Place> {
  const directory = await temporaryDirectory()
  const file = directory.file('nuncio.db')
  return {
    location: `sqlite:${file}`,
    open: (keys) => sqliteStore(file, [doors], () => {}, { cipher: secretCipher(keys) }),
    rows: async () => {
      const database = new DatabaseSync(file, { readOnly: true })
      try {
        return database
          .prepare(rowsOf)
          .all()
          .map((row) => String(row['hidden']))
      } finally {
        database.close()
      }
    },
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  }
}

async function postgresPlace(): Promise<Place> {
  const { url, ...database } = await testDatabase()
  return {
    location: url,
    open: async (keys) => {
      const done = Promise.withResolvers<void>()
      const log = (level: string, event: string): void => {
        if (event === 'completed instances') done.resolve()
        if (level === 'error') done.reject(new Error(event))
      }
      const store = await postgresStore(url, [doors], log, { cipher: secretCipher(keys) })
      if ((await rowsAt(url)).some((row) => !row.includes(`"${keyIdOf(keys)}.`))) {
        if (keys.length > 0 && (await rowsAt(url)).length > 0) await done.promise
      }
      return store
    },
    rows: () => rowsAt(url),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

async function rowsAt(url: string): Promise<readonly string[]> {
  const client = new Client(url)
  await client.connect()
  try {
    return (await client.query(rowsOf)).rows.map(({ hidden: found }) => String(found))
  } finally {
    await client.end()
  }
}

function keyIdOf(keys: readonly string[]): string {
  return secretCipher(keys)?.keyIds[0] ?? ''
}

async function save(store: Store, id: string, kept: JsonObject = hidden): Promise<void> {
  await store.transact(async (transaction) => {
    await transaction.in(ours).save(doors, { id }, { id, name: 'Door' }, kept)
  })
}

async function hiddenIn(store: Store): Promise<readonly JsonObject[]> {
  const found = await store.read(ours, (reader) => reader.list(doors, null, where([], 1000)))
  return found.map((stored) => JSON.parse(stored.hidden ?? 'null'))
}

const skip = await noPostgres()
const kinds = [
  { kind: 'SQLite', place: sqlitePlace, skip: false },
  { kind: 'PostgreSQL', place: postgresPlace, skip },
] as const

for (const { kind, place: make, skip: isSkipped } of kinds) {
  describe(`secrets in ${kind}`, { skip: isSkipped }, () => {
    it('are encrypted, and read in clear', async () => {
      await using place = await make()
      await using store = await place.open([first])

      await save(store, 'a')

      const [row = ''] = await place.rows()
      assert.doesNotMatch(row, /sesame|simsim/)
      assert.match(row, /"room":"cave"/)
      assert.deepEqual(await hiddenIn(store), [hidden])
    })

    it('from before there was a key are encrypted at the start', async () => {
      await using place = await make()
      await filled(place, [], 250)

      await using store = await place.open([first])

      for (const row of await place.rows()) assert.doesNotMatch(row, /sesame|simsim/)
      const found = await hiddenIn(store)
      assert.equal(found.length, 250)
      for (const each of found) assert.deepEqual(each, hidden)
    })

    it('are encrypted with a new key while the old one is listed second', async () => {
      await using place = await make()
      await filled(place, [first], 2)

      await (await place.open([second, first]))[Symbol.asyncDispose]()

      await using store = await place.open([second])
      assert.deepEqual(await hiddenIn(store), [hidden, hidden])
    })

    it('stop a start without their key, and say what to do', async () => {
      await using place = await make()
      await filled(place, [first], 1)

      await assert.rejects(place.open([]), refusal(/set NUNCIO_SECRET_KEY to the key/))
      await assert.rejects(
        place.open([second]),
        refusal(/add the earlier key to NUNCIO_SECRET_KEY/),
      )

      await using store = await place.open([first])
      assert.deepEqual(await hiddenIn(store), [hidden])
    })
  })
}

describe('an encrypted secret', () => {
  it('leaves a row unchanged that is saved again, and differs between instances', async () => {
    await using place = await sqlitePlace()
    await using store = await place.open([first])
    await save(store, 'a')
    await save(store, 'b')
    const before = await place.rows()

    await save(store, 'a')

    assert.deepEqual(await place.rows(), before)
    assert.notEqual(before[0], before[1])
  })

  it('cannot be decrypted as that of another instance', () => {
    const cipher = secretCipher([first])

    const encrypted = cipher?.encrypt('door a', 'sesame') ?? ''

    assert.equal(cipher?.decrypt('door a', encrypted), 'sesame')
    assert.throws(() => cipher?.decrypt('door b', encrypted))
    assert.throws(() => secretCipher([second])?.decrypt('door a', encrypted))
  })
})

describe('the service with a key for secrets', () => {
  it('stores no secret in clear', async (t) => {
    await using directory = await temporaryDirectory()
    const file = directory.file('nuncio.db')
    const open = () => sqliteStore(file, builtIn, () => {}, { cipher: secretCipher([first]) })
    const store = await open()
    const api = await startApi(t, { store, config: { webhookNetworks: ['127.0.0.0/8'] } })
    const smpp = { host: '127.0.0.1', port: 9, systemId: 'us', password: 'hush1234' }
    await api.put('/v1/carriers/smpp', { type: 'SMPP', settings: smpp, active: false })
    const hook = { url: 'http://127.0.0.1:9/', headers: { Authorization: 'Bearer opensesame' } }
    const headers = { 'idempotency-key': 'once' }
    const signatures = ['v1', 'v1a']
    const webhook = await api.post('/v1/webhooks', { ...hook, signatures })

    const key = await api.post('/v1/keys', { scopes: ['*'] }, { headers })
    const again = await api.post('/v1/keys', { scopes: ['*'] }, { headers })

    const secrets = [webhook.json.secret, key.json.secret, 'opensesame', 'hush1234']
    assert.equal(webhook.status, 201)
    assert.equal(again.json.id, key.json.id)
    await store[Symbol.asyncDispose]()
    const stored = await readFile(file, 'latin1')
    for (const secret of secrets) assert.ok(!stored.includes(secret.slice(-20)), secret)
  })
})

describe('a store with secrets', { skip }, () => {
  it('is moved as it is, and asks for the same key', async () => {
    await using from = await sqlitePlace()
    await using to = await postgresPlace()
    await filled(from, [first], 2)

    await move(from.location, to.location)

    assert.deepEqual(await to.rows(), await from.rows())
    await assert.rejects(to.open([second]), refusal(/add the earlier key/))
    await using store = await to.open([first])
    assert.deepEqual(await hiddenIn(store), [hidden, hidden])
  })
})

async function filled(place: Place, keys: readonly string[], count: number): Promise<void> {
  await using store = await place.open(keys)
  await store.transact(async (transaction) => {
    for (let index = 0; index < count; index += 1) {
      const id = `door${String(index).padStart(4, '0')}`
      await transaction.in(ours).save(doors, { id }, { id, name: 'Door' }, hidden)
    }
  })
}

function refusal(message: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof StoreUnavailable && message.test(error.message)
}
