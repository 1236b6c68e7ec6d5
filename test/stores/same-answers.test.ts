import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { everyAccount } from '../../src/core/account.ts'
import type { Query } from '../../src/core/query.ts'
import type { Store } from '../../src/core/store.ts'
import { memoryStore } from '../../src/stores/memory/memory-store.ts'
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import {
  aPiece,
  aThing,
  pieces,
  sampleCollections,
  things,
} from '../conformance/sample-collections.ts'
import { virtualClock } from '../support/virtual-clock.ts'
import { accounts } from './random-queries.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const runs = 100

describe('SQLite and memory', () => {
  it('keep the same after any series of writes, whatever is in the search index', async () => {
    await using directory = await temporaryDirectory()
    const clock = virtualClock()
    const file = directory.file('nuncio.db')
    await using sqlite = await sqliteStore(file, sampleCollections, () => {}, { clock })

    await fc.assert(
      fc.asyncProperty(writes, writes, writes, async (...series) => {
        await using memory = memoryStore(sampleCollections)
        await empty(sqlite)
        for (const some of series) {
          const outcomes = await Promise.all([perform(memory, some), perform(sqlite, some)])
          assert.deepEqual(outcomes[1], outcomes[0])
          await compare(memory, sqlite)
          await clock.advance(200)
          await compare(memory, sqlite)
        }
      }),
      { numRuns: runs },
    )
  })
})

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary)
const names = ['parcel', 'post', 'no'] as const
const write = fc.record({
  kind: fc.constantFrom('save', 'save', 'save', 'remove', 'nested', 'fail', 'erase' as const),
  account: fc.constantFrom(...accounts),
  id: fc.constantFrom('x', 'y', 'z'),
  code: maybe(fc.constantFrom('red', 'blue')),
  size: maybe(fc.integer({ min: -2, max: 4 })),
  name: maybe(fc.constantFrom(...names)),
  readFirst: fc.boolean(),
})
type Write = typeof write extends fc.Arbitrary<infer W> ? W : never
const writes = fc.array(write, { maxLength: 15 })

async function empty(store: Store): Promise<void> {
  await store.transact(async (tx) => {
    for (const account of accounts) await tx.erase(account)
  })
}

async function compare(memory: Store, sqlite: Store): Promise<void> {
  const ask = (store: Store): Promise<unknown> =>
    store.read(everyAccount, async (reader) => ({
      things: await reader.list(things, null, everything),
      pieces: await reader.list(pieces, null, everything),
    }))
  assert.deepEqual(await ask(sqlite), await ask(memory))

  for (const account of accounts) {
    const search = (store: Store): Promise<unknown> =>
      store.read(account, (reader) =>
        Promise.all(
          names.map(async (word) => [
            await reader.list(things, null, { ...everything, words: [word] }),
            await reader.list(pieces, null, { ...everything, words: [word] }),
          ]),
        ),
      )
    assert.deepEqual(await search(sqlite), await search(memory))
  }
}

const everything: Query = {
  conditions: [],
  words: [],
  sort: [{ path: ['id'], direction: 'asc' }],
  start: { offset: 0 },
  limit: 1000,
}

/** Does each write in a transaction of its own, all at once, and tells what became of them. */
async function perform(store: Store, some: readonly Write[]): Promise<readonly string[]> {
  const outcomes = await Promise.allSettled(some.map((one) => performOne(store, one)))
  return outcomes.map((outcome) =>
    outcome.status === 'fulfilled' ? String(outcome.value) : String(outcome.reason),
  )
}

function performOne(store: Store, { kind, account, id, code, size, name, readFirst }: Write) {
  return store.transact(async (tx): Promise<unknown> => {
    const writer = tx.in(account)
    if (readFirst) await writer.find(things, { id })
    if (kind === 'remove') return writer.remove(things, { id })
    if (kind === 'erase') return tx.erase(account)
    if (kind === 'nested') {
      const piece = aPiece(id, { rank: size, serial: code, name })
      return (await writer.save(pieces, { id, parent: id }, piece, null)).revision
    }
    const { revision } = await writer.save(things, { id }, aThing(id, { code, size, name }), null)
    if (kind === 'fail') throw new Error(`undone ${revision}`)
    return revision
  })
}
