import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accountId } from '../../src/core/account.ts'
import type { JsonObject } from '../../src/core/json.ts'
import type { MaybePromise } from '../../src/core/maybe-promise.ts'
import type { Store, Transaction } from '../../src/core/ports/store.ts'
import { postgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { awkward, sampleCollections } from '../conformance/sample-collections.ts'
import { aNotification, everything } from '../conformance/sample-notifications.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { openPostgres } from '../support/postgres/open-store.ts'

const [ours, theirs] = [accountId('ours'), accountId('theirs')]
const skip = await noPostgres()

/** Without unique fields: what has those is run by itself. */
const [things = assert.fail()] = awkward

describe('works that share a transaction of PostgreSQL', { skip }, () => {
  it('are all kept, of several accounts', async () => {
    await using store = await openPostgres(sampleCollections)
    const ids = Array.from({ length: 300 }, (_, at) => `t${at}`)

    await Promise.all(ids.map((id, at) => together(store, saving(id, at % 2 ? ours : theirs))))

    const read = (account: typeof ours) =>
      store.read(account, (reader) =>
        reader.count(things, null, { conditions: [], searchTerms: [] }),
      )
    assert.deepEqual(await Promise.all([ours, theirs].map(read)), [150, 150])
    assert.equal((await store.log.read(ours, null, everything, 999)).length, 150)
  })

  it('are undone by themselves where they fail', async () => {
    await using store = await openPostgres(sampleCollections)
    const ids = Array.from({ length: 60 }, (_, at) => `t${at}`)

    const ends = await Promise.allSettled(
      ids.map((id, at) =>
        together(store, async (tx) => {
          await saving(id)(tx)
          if (at % 20 === 7) throw new Error('changed its mind')
        }),
      ),
    )

    const failed = ends.filter(({ status }) => status === 'rejected')
    const found = await store.read(ours, (reader) =>
      Promise.all(ids.map((id) => reader.find(things, { id }))),
    )
    const kept = ids.filter((_, at) => found[at] !== null)
    assert.equal(failed.length, 3)
    assert.deepEqual(
      kept,
      ids.filter((_, at) => at % 20 !== 7),
    )
    assert.equal((await store.log.read(ours, null, everything, 999)).length, 57)
  })

  it('decide one after the other where all look for the same instance first', async () => {
    await using store = await openPostgres(sampleCollections)
    const ask = (own: string) =>
      together(store, async (tx) => {
        const writer = tx.in(ours)
        const kept = await writer.find(things, { id: 'once' })
        if (kept !== null) return JSON.parse(kept.doc).name
        await writer.save(things, { id: 'once' }, { ...aThing('once'), name: own }, null)
        return own
      })

    const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => ask(`${at}`)))

    assert.equal(new Set(answers).size, 1)
  })

  it('are run once where others of them are overtaken before they wrote anything', async () => {
    await using store = await openPostgres(sampleCollections)
    await store.transact(saving('counter'))
    const runs = new Map<string, number>()
    const change = (id: string, own: string) => (tx: Transaction) => {
      runs.set(own, (runs.get(own) ?? 0) + 1)
      return changing(id, own)(tx)
    }
    const others = Array.from({ length: 20 }, (_, at) => `t${at}`)
    await store.transact(async (tx) => {
      for (const id of others) await saving(id)(tx)
    })

    await Promise.all([
      ...['a', 'b'].map((own) => together(store, change('counter', own))),
      ...others.map((id) => together(store, change(id, id))),
    ])

    const changed = await store.read(ours, (reader) =>
      Promise.all(others.map((id) => reader.find(things, { id }))),
    )
    const counter = await store.read(ours, (reader) => reader.find(things, { id: 'counter' }))
    assert.equal((runs.get('a') ?? 0) + (runs.get('b') ?? 0), 3)
    assert.deepEqual(
      others.map((id) => runs.get(id)),
      others.map(() => 1),
    )
    assert.ok(changed.every((stored, at) => stored?.doc.includes(`${others[at]}x`)))
    assert.match(counter?.doc ?? '', /axbx|bxax/)
  })

  it('overtake each other on one instance no more than transactions of their own', async () => {
    await using store = await openPostgres(sampleCollections)
    await store.transact(saving('counter'))

    await Promise.all(Array.from({ length: 12 }, () => together(store, changing('counter', ''))))

    const stored = await store.read(ours, (reader) => reader.find(things, { id: 'counter' }))
    assert.match(stored?.doc ?? '', /x{12}/)
  })
})

describe('a counter with bounds on PostgreSQL', { skip }, () => {
  const bounds = { atLeast: 0, atMost: 100 }
  const creditsIn = async (store: Store): Promise<number | undefined> => {
    const found = await store.read(ours, (reader) => reader.findCounters(ours, ['credits']))
    return found.get('credits')?.['micros']
  }

  it('is spent by 100 at once from two nodes to the last, by no one twice', async () => {
    await using one = await openPostgres(sampleCollections)
    await using other = await postgresStore(one.url, sampleCollections)
    await one.transact(async (tx) => {
      await tx.in(ours).setCounters('credits', ['micros'])
      await tx.in(ours).addToCounter('credits', 'micros', 70)
    })

    const moves = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        together(at % 2 ? one : other, async (tx) => {
          const move = await tx.in(ours).addToCounter('credits', 'micros', -1, bounds)
          if (move?.isAdded === true) await saving(`t${at}`)(tx)
          return move
        }),
      ),
    )

    const left = await creditsIn(one)
    const balances = moves.flatMap((move) => (move?.isAdded === true ? move.count : []))
    assert.equal(left, 0)
    assert.deepEqual(
      balances.toSorted((a, b) => a - b),
      Array.from({ length: 70 }, (_, at) => at),
    )
    assert.equal(moves.filter((move) => move?.isAdded === false).length, 30)
  })

  it('is given back where a work fails that took some', async () => {
    await using store = await openPostgres(sampleCollections)
    await store.transact(async (tx) => {
      await tx.in(ours).setCounters('credits', ['micros'])
      await tx.in(ours).addToCounter('credits', 'micros', 10)
    })

    await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) =>
        together(store, async (tx) => {
          await tx.in(ours).addToCounter('credits', 'micros', -1, bounds)
          if (at % 2) throw new Error('changed its mind')
        }),
      ),
    )

    assert.equal(await creditsIn(store), 5)
  })
})

/** A work that adds to what an instance has. */
function changing(id: string, own: string) {
  return async (tx: Transaction): Promise<void> => {
    const stored = await tx.in(ours).find(things, { id })
    const { select } = JSON.parse(stored?.doc ?? '{}')
    await tx.in(ours).save(things, { id }, aThing(id, `${select}${own}x`), null)
  }
}

function together<T>(store: Store, work: (tx: Transaction) => MaybePromise<T>): Promise<T> {
  return store.transact(work, 'TOGETHER')
}

function saving(id: string, account = ours): (tx: Transaction) => Promise<void> {
  return async (tx) => {
    await tx.in(account).save(things, { id }, aThing(id), null)
    await tx.in(account).notify(aNotification(id))
  }
}

function aThing(id: string, select = id): JsonObject {
  const at = '2026-01-01T00:00:00.000Z'
  return { id, select, Select: 'same', createdAt: at, updatedAt: at }
}
