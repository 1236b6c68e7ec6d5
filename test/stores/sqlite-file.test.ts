import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { createInterface } from 'node:readline'
import { describe, it } from 'node:test'
import { accounts } from '../../src/collections/accounts.ts'
import { accountId } from '../../src/core/account.ts'
import { collection } from '../../src/core/declaration/collection.ts'
import { integer, text } from '../../src/core/declaration/field.ts'
import { type Condition, fold } from '../../src/core/declaration/query.ts'
import { type Store, StoreUnavailable, UniqueViolation, where } from '../../src/core/ports/store.ts'
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { defaultQueueKey } from '../../src/core/ports/submissions.ts'
import { aThing, sampleCollections, things } from '../conformance/sample-collections.ts'
import { leaseConsumers } from '../support/lease-consumers.ts'
import { temporaryDirectory } from './temporary-directory.ts'
import { eraseAccount } from '../support/erase-account.ts'

const ours = accountId('ours')

describe('a SQLite file', () => {
  it('has everything again when it is opened again', async () => {
    await using directory = await temporaryDirectory()
    const file = directory.file('deep/down/nuncio.db')
    {
      await using store = await sqliteStore(file, sampleCollections)
      await save(store, 't1')
    }

    await using store = await sqliteStore(file, sampleCollections)

    const found = await store.read(ours, (reader) => reader.find(things, { id: 't1' }))
    assert.equal(found?.doc, JSON.stringify(aThing('t1')))
  })

  it('says that it makes no index for a search, and searches without one', async () => {
    await using directory = await temporaryDirectory()
    const logged: (readonly [string, unknown])[] = []
    const declared = sampleCollections.map((each) => ({ ...each, searchIndex: each === things }))

    await using store = await sqliteStore(
      directory.file('nuncio.db'),
      declared,
      (level, text, about) => {
        if (level === 'warn') logged.push([text, about])
      },
    )
    await store.transact((transaction) =>
      transaction.in(ours).save(things, { id: 't1' }, aThing('t1', { name: 'a needle' }), null),
    )

    const query = { ...where([], 10), searchTerms: ['needle'] }
    const found = await store.read(ours, (reader) => reader.list(things, null, query))
    assert.deepEqual(logged, [['search index not supported by SQLite', { collection: 'things' }]])
    assert.equal(found.length, 1)
  })

  it('is the whole store when it was closed', async () => {
    await using directory = await temporaryDirectory()
    const file = directory.file('nuncio.db')
    {
      await using store = await sqliteStore(file, sampleCollections)
      await save(store, 't1')
    }

    const log = await stat(`${file}-wal`).catch(() => null)

    assert.equal(log?.size ?? 0, 0)
  })

  it('has all that was promised by a process that was killed', async () => {
    await using directory = await temporaryDirectory()
    const file = directory.file('nuncio.db')
    const promised = await promisedUntilKilled(file, 300)

    await using store = await sqliteStore(file, sampleCollections)

    const kept = await store.read(ours, (reader) => reader.list(things, null, where([], 100_000)))
    const ids = new Set(kept.map(({ id }) => id))
    assert.ok(promised.length >= 300)
    assert.deepEqual(
      promised.filter((id) => !ids.has(id)),
      [],
    )
    const due = await store.transact((tx) => tx.submissions.claim(0, 1, 100_000))
    assert.deepEqual(new Set(due.map(({ messageId }) => messageId)), ids)
  })

  it('gives back what a dead process held: its claims, as uncertain, and its consumers', async () => {
    await using directory = await temporaryDirectory()
    const file = directory.file('nuncio.db')
    {
      await using store = await sqliteStore(file, sampleCollections)
      await store.transact(async (tx) => {
        await tx.in(ours).enqueue('m1', 10)
        await tx.in(ours).enqueue('m2', 99)
        await tx.submissions.claim(10, 1_000_000, 10)
        await tx.consumers.put(ours, 'w1', '{}')
        await leaseConsumers(tx, 'n1', 0, 1_000_000)
      })
    }

    await using store = await sqliteStore(file, sampleCollections)

    await store.transact(async (tx) => {
      const due = await tx.submissions.claim(20, 30, 10)
      const consumers = await leaseConsumers(tx, 'n2', 0, 10)
      assert.deepEqual(due, [
        { account: ours, messageId: 'm1', attempt: 1, uncertain: true, place: defaultQueueKey },
      ])
      assert.equal(consumers.length, 1)
    })
  })

  it('is not changed by being opened again', async () => {
    await using directory = await temporaryDirectory()
    const file = directory.file('nuncio.db')
    const openAndClose = async () =>
      (await sqliteStore(file, sampleCollections))[Symbol.asyncDispose]()
    const definitions = () => {
      using database = new DatabaseSync(file)
      return database.prepare('pragma schema_version').get()
    }
    await openAndClose()
    const before = definitions()

    await openAndClose()

    assert.deepEqual(definitions(), before)
  })

  it('has only those columns of an instance written that a change changes', async () => {
    await using directory = await temporaryDirectory()
    const file = directory.file('nuncio.db')
    await using store = await sqliteStore(file, sampleCollections)
    await save(store, 't1')
    using database = new DatabaseSync(file)
    // A trigger is for each column that a statement names, be its value the same.
    const triggers = ['name', 'size', 'code'].map(
      (name) => `create trigger "on ${name}" after update of "f/${name}" on "c/things"
        begin insert into written values ('${name}'); end;`,
    )
    database.exec(`create table written (name text); ${triggers.join('\n')}`)

    await store.transact(async (tx) => {
      await tx.in(ours).find(things, { id: 't1' })
      await tx.in(ours).save(things, { id: 't1' }, aThing('t1', { size: 2 }), null)
    })

    const written = database.prepare('select name from written').all()
    assert.deepEqual(
      written.map((row) => row['name']),
      ['size'],
    )
  })

  it('belongs to one store at a time', async () => {
    await using directory = await temporaryDirectory()
    const file = directory.file('nuncio.db')
    const first = await sqliteStore(file, sampleCollections)

    const second = sqliteStore(file, sampleCollections)

    await assert.rejects(second, (error) => {
      assert.ok(error instanceof StoreUnavailable)
      assert.match(error.message, /nuncio\.db is in use by another process; stop it/)
      return true
    })
    await save(first, 't1')
    await first[Symbol.asyncDispose]()
    await using third = await sqliteStore(file, sampleCollections)
    await save(third, 't2')
  })

  it('belongs to one process at a time', async () => {
    await using directory = await temporaryDirectory()
    const file = directory.file('nuncio.db')
    const { child, lines } = writer(file)
    await lines.next()

    const opening = sqliteStore(file, sampleCollections)

    await assert.rejects(opening, /in use by another process/)
    await kill(child)
    await using store = await sqliteStore(file, sampleCollections)
    await save(store, 'mine')
  })

  it('is refused where it is none of ours', async () => {
    await using directory = await temporaryDirectory()
    const foreign = new DatabaseSync(directory.file('foreign.db'))
    foreign.exec('create table people (name text)')
    foreign.close()
    await writeFile(directory.file('letter.db'), 'Dear reader, '.repeat(1000))
    await mkdir(directory.file('directory.db'))

    const refused = (name: string, why: RegExp) =>
      assert.rejects(sqliteStore(directory.file(name), sampleCollections), (error) => {
        assert.ok(error instanceof StoreUnavailable, String(error))
        assert.match(error.message, why)
        return true
      })

    const before = await readFile(directory.file('foreign.db'))
    await refused('foreign.db', /foreign\.db is a database of another program; name another/)
    assert.deepEqual(await readFile(directory.file('foreign.db')), before)
    await refused('letter.db', /letter\.db: it is no SQLite database, or is damaged; restore/)
    await refused('directory.db', /directory\.db cannot be used \(it is a directory\); name/)
    await refused('letter.db/nuncio.db', /cannot be used .*; name another file in NUNCIO_STORE/)
  })

  it('is refused where it is damaged', async () => {
    await using directory = await temporaryDirectory()
    const file = directory.file('nuncio.db')
    await (await sqliteStore(file, sampleCollections))[Symbol.asyncDispose]()
    const bytes = await readFile(file)
    await writeFile(file, bytes.fill(0xee, 100, 4096))

    const opening = sqliteStore(file, sampleCollections)

    await assert.rejects(opening, (error) => {
      assert.ok(error instanceof StoreUnavailable, String(error))
      assert.match(error.message, /damaged; restore it from a backup/)
      return true
    })
  })

  it('is refused where a newer version wrote it', async () => {
    await using directory = await temporaryDirectory()
    const file = directory.file('nuncio.db')
    await (await sqliteStore(file, sampleCollections))[Symbol.asyncDispose]()
    const database = new DatabaseSync(file)
    database.exec('pragma user_version = 99')
    database.close()

    const opening = sqliteStore(file, sampleCollections)

    await assert.rejects(opening, /written by a newer version of Nuncio \(schema 99; this one/)
  })

  it('refuses writes while another program holds it, and takes them again after', async () => {
    await using directory = await temporaryDirectory()
    const file = directory.file('nuncio.db')
    await using store = await sqliteStore(file, sampleCollections)
    await save(store, 't1')
    const other = new DatabaseSync(file)
    other.exec('begin immediate')

    const refused = await Promise.allSettled([save(store, 't2'), save(store, 't3')])

    for (const outcome of refused) {
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof StoreUnavailable)
    }
    assert.equal((await ids(store, [])).length, 1)
    other.exec('rollback')
    other.close()
    await save(store, 't4')
    assert.deepEqual(await ids(store, []), ['t1', 't4'])
  })

  it('refuses a write that does not fit on the disk, and takes later ones', async (t) => {
    if (process.platform === 'win32') return t.skip('there is no ulimit')
    await using directory = await temporaryDirectory()
    const fixture = new URL('fixtures/write-beyond-limit.ts', import.meta.url).pathname
    const command = `ulimit -f 2048; exec '${process.execPath}' '${fixture}' '${directory.file('n.db')}'`

    const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] })
    const printed: Buffer[] = []
    child.stdout.on('data', (data: Buffer) => printed.push(data))
    await once(child, 'close')

    assert.deepEqual(JSON.parse(Buffer.concat(printed).toString()), {
      outcomes: ['kept', 'unavailable', 'kept'],
      found: ['small', null, 'later'],
    })
  })
})

describe('a SQLite file of an earlier declaration', () => {
  const plain = collection({
    name: 'things',
    noun: 'thing',
    description: 'A thing.',
    fields: {
      name: text({ nullable: true }),
      size: integer({ nullable: true }),
      secret: text({ writeOnly: true }),
    },
  })
  const declared = collection({
    name: 'things',
    noun: 'thing',
    description: 'A thing.',
    searchedBy: ['name'],
    fields: {
      name: text({ nullable: true, indexed: true }),
      size: integer({ nullable: true, unique: true }),
      secret: text({ writeOnly: true, indexed: true }),
    },
  })
  const put = (store: Store, of: typeof plain | typeof declared, id: string, size: number) =>
    store.transact((tx) =>
      tx.in(ours).save(of, { id }, { id, name: `Name ${size}`, size }, { secret: `s${size}` }),
    )
  const find = async (store: Store, path: string, value: string | number, words: string[] = []) => {
    const conditions: Condition[] = [{ path: [path], operator: 'eq', values: [value] }]
    const query = { ...where(value === '' ? [] : conditions, 9), searchTerms: words }
    const found = await store.read(ours, (reader) => reader.list(declared, null, query))
    return found.map(({ id }) => id)
  }

  it('gains the indexes and the searched texts of the new one', async () => {
    await using directory = await temporaryDirectory()
    const file = directory.file('nuncio.db')
    {
      await using store = await sqliteStore(file, [plain])
      await put(store, plain, 't1', 1)
      await put(store, plain, 't2', 2)
    }

    await using store = await sqliteStore(file, [declared])

    assert.deepEqual(await find(store, 'name', 'Name 2'), ['t2'])
    assert.deepEqual(await find(store, 'secret', 's1'), ['t1'])
    assert.deepEqual(await find(store, 'name', '', [fold('NAME'), '2']), ['t2'])
    await assert.rejects(put(store, declared, 't3', 2), UniqueViolation)
  })

  it('forgets an index and has it right when it comes back', async () => {
    await using directory = await temporaryDirectory()
    const file = directory.file('nuncio.db')
    for (const [of, size] of [
      [declared, 1],
      [plain, 2],
      [plain, 3],
    ] as const) {
      await using store = await sqliteStore(file, [of])
      await put(store, of, 't1', size)
    }

    await using store = await sqliteStore(file, [declared])

    assert.deepEqual(await find(store, 'size', 3), ['t1'])
    assert.deepEqual(await find(store, 'size', 1), [])
    assert.deepEqual(await find(store, 'secret', 's3'), ['t1'])
    assert.deepEqual(await find(store, 'name', '', ['3']), ['t1'])
  })

  it('is refused where two instances have the same value of a field that is unique now', async () => {
    await using directory = await temporaryDirectory()
    const file = directory.file('nuncio.db')
    {
      await using store = await sqliteStore(file, [plain])
      await put(store, plain, 't1', 1)
      await put(store, plain, 't2', 1)
    }

    await assert.rejects(
      sqliteStore(file, [declared]),
      /things\.fields\.size: is declared unique now, and instances .* such as t1 and t2\. Change/,
    )

    await using store = await sqliteStore(file, [plain])
    assert.equal((await ids(store, [])).length, 2)
  })

  it('keeps the instances of a collection that is declared no more, unless their account is erased', async () => {
    await using directory = await temporaryDirectory()
    const file = directory.file('nuncio.db')
    {
      await using store = await sqliteStore(file, [plain])
      await put(store, plain, 't1', 1)
      await store.transact((tx) =>
        tx.in(accountId('theirs')).save(plain, { id: 't1' }, { id: 't1' }, null),
      )
    }
    {
      await using store = await sqliteStore(file, [accounts])
      await store.transact((tx) => eraseAccount(tx, accountId('theirs')))
    }

    await using store = await sqliteStore(file, [plain])

    assert.deepEqual(await ids(store, []), ['t1'])
    const theirs = await store.read(accountId('theirs'), (reader) =>
      reader.count(plain, null, { conditions: [], searchTerms: [] }),
    )
    assert.equal(theirs, 0)
  })
})

async function save(store: Store, id: string): Promise<void> {
  await store.transact((tx) => tx.in(ours).save(things, { id }, aThing(id), null))
}

async function ids(store: Store, conditions: Condition[]): Promise<readonly string[]> {
  const found = await store.read(ours, (reader) =>
    reader.list(things, null, where(conditions, 100)),
  )
  return found.map(({ id }) => id)
}

function writer(file: string): { child: ChildProcess; lines: AsyncIterator<string> } {
  const fixture = new URL('fixtures/write-until-killed.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [fixture, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() }
}

/** The ids that a process promised before it was killed in the middle of writing. */
async function promisedUntilKilled(file: string, count: number): Promise<readonly string[]> {
  const { child, lines } = writer(file)
  const promised: string[] = []
  for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
    promised.push(line.value)
    if (promised.length === count) child.kill('SIGKILL')
  }
  return promised
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}
