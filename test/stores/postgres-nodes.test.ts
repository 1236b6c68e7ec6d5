import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Client } from 'pg'
import { accountId } from '../../src/core/account.ts'
import { type Store, StoreUnavailable, type Transaction } from '../../src/core/ports/store.ts'
import { postgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { aThing, sampleCollections, things } from '../conformance/sample-collections.ts'
import { aNotification, everything } from '../conformance/sample-notifications.ts'
import { noPostgres, ownPostgres } from '../support/postgres/database.ts'
import { openPostgres } from '../support/postgres/open-store.ts'

const ours = accountId('ours')
const skip = await noPostgres()

describe('the notification log of PostgreSQL', { skip }, () => {
  it('waits for no transaction that is open, and has the order of the commits', async () => {
    await using store = await openPostgres(sampleCollections)
    const early = held(store, (tx) => tx.in(ours).notify(aNotification('early')))
    await early.worked
    const late = held(store, (tx) => tx.in(ours).notify(aNotification('late')))
    await late.worked

    await late.commit()
    const whileOpen = await read(store)
    await early.commit()
    const after = await read(store)

    assert.deepEqual(whileOpen, ['late'])
    assert.deepEqual(after, ['late', 'early'])
  })

  it('tells what follows after what it follows from, though the later transaction began before', async () => {
    await using store = await openPostgres(sampleCollections)
    const say = (status: string) => (tx: Transaction) =>
      tx.in(ours).notify({ ...aNotification('m'), messageId: status })
    await store.transact((tx) => tx.in(ours).save(things, { id: 't' }, aThing('sent'), null))
    const wrote = Promise.withResolvers<void>()
    const mayGoOn = Promise.withResolvers<void>()
    const following = store.transact(async (tx) => {
      await tx.in(ours).save(things, { id: 'other' }, aThing('other'), null)
      wrote.resolve()
      await mayGoOn.promise
      await tx.in(ours).find(things, { id: 't' })
      await say('follows')(tx)
    })
    await wrote.promise
    await store.transact(async (tx) => {
      await tx.in(ours).find(things, { id: 't' })
      await tx.in(ours).save(things, { id: 't' }, aThing('delivered'), null)
      await say('first')(tx)
    })

    mayGoOn.resolve()
    await following

    assert.deepEqual(await read(store), ['first', 'follows'])
  })

  it('does not let a reader run ahead of a transaction that stays open', async () => {
    await using store = await openPostgres(sampleCollections)
    const open = held(store, (tx) => tx.in(ours).notify(aNotification('first')))
    await open.worked
    await store.transact((tx) => tx.in(ours).notify(aNotification('second')))
    const end = await store.log.end(ours)

    await open.commit()

    const behind = await store.log.read(ours, end, everything, 9)
    assert.deepEqual(
      behind.map(({ messageId }) => messageId),
      ['first'],
    )
  })
})

describe('nodes over one PostgreSQL', { skip }, () => {
  it('claim each submission once', async () => {
    await using one = await openPostgres(sampleCollections)
    await using other = await postgresStore(one.url, sampleCollections)
    await one.transact(async (tx) => {
      for (let at = 0; at < 100; at += 1) await tx.in(ours).enqueue(`m${at}`, 0)
    })

    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (at % 2 === 0 ? one : other).transact((tx) => tx.submissions.claim(1, 100, 10)),
      ),
    )
    const rest = await one.transact((tx) => tx.submissions.claim(1, 100, 100))

    const claimed = [...claims.flat(), ...rest].map(({ messageId }) => messageId)
    assert.equal(claimed.length, 100)
    assert.equal(new Set(claimed).size, 100)
  })

  it('hear of what another commits', async () => {
    await using one = await openPostgres(sampleCollections)
    await using other = await postgresStore(one.url, sampleCollections)
    const heard = Promise.withResolvers<ReadonlySet<string>>()
    other.onCommit(({ changed }) => heard.resolve(changed))

    let count = 0
    const again = setInterval(() => {
      count += 1
      const id = `t${count}`
      void one.transact((tx) => tx.in(ours).save(things, { id }, aThing(id), null))
    }, 50)
    const changed = await heard.promise.finally(() => clearInterval(again))

    assert.ok(changed.has('things'))
  })

  it('hear of messages that another calls back', async () => {
    await using one = await openPostgres(sampleCollections)
    await using other = await postgresStore(one.url, sampleCollections)
    const heard = Promise.withResolvers<readonly string[]>()
    other.onCommit(({ recalled }) => recalled.length > 0 && heard.resolve(recalled))

    const again = setInterval(() => {
      void one.transact(async (tx) => tx.recall('submission_1'))
    }, 50)
    const recalled = await heard.promise.finally(() => clearInterval(again))

    assert.ok(recalled.includes('submission_1'))
  })

  it('refuse within two seconds while the server stands still, and go on when it does', async (t) => {
    const server = await ownPostgres()
    if (typeof server === 'string' || process.platform === 'win32')
      return t.skip('there is no server to stop')
    const { pid } = server
    await using database = await server.database()
    await using store = await postgresStore(database.url, sampleCollections)
    const save = (id: string) =>
      store.transact((tx) => tx.in(ours).save(things, { id }, aThing(id), null))
    await save('before')
    const backends = await backendsOf(database.url)
    for (const process_ of [pid, ...backends]) process.kill(process_, 'SIGSTOP')
    t.after(() => resume([pid, ...backends]))

    const began = performance.now()
    await assert.rejects(save('meanwhile'), StoreUnavailable)
    const tookMs = performance.now() - began
    resume([pid, ...backends])

    assert.ok(tookMs < 2000, `${tookMs} ms`)
    await save('after')
    const found = await store.read(ours, (reader) => reader.find(things, { id: 'meanwhile' }))
    assert.equal(found, null)
  })
})

async function backendsOf(url: string): Promise<readonly number[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await client.end()
  return rows.map(({ pid }) => pid)
}

function resume(processes: readonly number[]): void {
  for (const each of processes) {
    try {
      process.kill(each, 'SIGCONT')
    } catch {
      // It has ended.
    }
  }
}

/** A transaction that has done its work and waits to be committed. */
function held(store: Store, work: (tx: Transaction) => Promise<void>) {
  const worked = Promise.withResolvers<void>()
  const wanted = Promise.withResolvers<void>()
  const done = store.transact(async (tx) => {
    await work(tx)
    worked.resolve()
    await wanted.promise
  })
  return {
    worked: worked.promise,
    commit: () => {
      wanted.resolve()
      return done
    },
  }
}

async function read(store: Store): Promise<readonly string[]> {
  const entries = await store.log.read(ours, null, everything, 9)
  return entries.map(({ messageId }) => messageId)
}
