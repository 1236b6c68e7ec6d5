import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { everyAccount } from '../../src/core/account.ts'
import type { Query } from '../../src/core/declaration/query.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { memoryStore } from '../oracle/memory-store.ts'
import { aPiece, aThing, pieces, sampleCollections, things } from './sample-collections.ts'
import { accounts } from '../stores/random-queries.ts'
import { eraseAccount } from '../support/erase-account.ts'

/** How a store is opened, and what is particular to it. */
export interface SameAfterWrites {
  readonly open: () => Promise<Store>
  readonly runs: number
  readonly skip?: string | false
  /** Its works run side by side: here one after the other, to be the same as in memory. */
  readonly sideBySide?: boolean
}

/** A store keeps what the store in memory keeps. */
export function keepsAsTheModel(
  name: string,
  { open, runs, skip = false, sideBySide = false }: SameAfterWrites,
): void {
  describe(`${name} and memory`, { skip }, () => {
    it('keep the same after any series of writes', async () => {
      await using other = await open()

      await fc.assert(
        fc.asyncProperty(writes, writes, writes, async (...series) => {
          await using memory = memoryStore(sampleCollections)
          await empty(other)
          for (const some of series) {
            const outcomes = await Promise.all([
              perform(memory, some),
              perform(other, some, sideBySide),
            ])
            assert.deepEqual(outcomes[1], outcomes[0])
            await compare(memory, other)
          }
        }),
        { numRuns: runs },
      )
    })
  })
}

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
    for (const account of accounts) await eraseAccount(tx, account)
  })
}

async function compare(memory: Store, other: Store): Promise<void> {
  const ask = (store: Store): Promise<unknown> =>
    store.read(everyAccount, async (reader) => ({
      things: await reader.list(things, null, everything),
      pieces: await reader.list(pieces, null, everything),
    }))
  assert.deepEqual(await ask(other), await ask(memory))

  for (const account of accounts) {
    const search = (store: Store): Promise<unknown> =>
      store.read(account, (reader) =>
        Promise.all(
          names.map(async (word) => [
            await reader.list(things, null, { ...everything, searchTerms: [word] }),
            await reader.list(pieces, null, { ...everything, searchTerms: [word] }),
          ]),
        ),
      )
    assert.deepEqual(await search(other), await search(memory))
  }
}

const everything: Query = {
  conditions: [],
  searchTerms: [],
  sort: [{ path: ['id'], direction: 'asc' }],
  start: { offset: 0 },
  limit: 1000,
}

/** Does each write in a transaction of its own, all at once, and tells what became of them. */
async function perform(
  store: Store,
  some: readonly Write[],
  oneByOne = false,
): Promise<readonly string[]> {
  const outcomes: PromiseSettledResult<unknown>[] = []
  if (oneByOne) {
    for (const one of some) outcomes.push(...(await Promise.allSettled([performOne(store, one)])))
  } else {
    outcomes.push(...(await Promise.allSettled(some.map((one) => performOne(store, one)))))
  }
  return outcomes.map((outcome) =>
    outcome.status === 'fulfilled' ? String(outcome.value) : String(outcome.reason),
  )
}

function performOne(store: Store, { kind, account, id, code, size, name, readFirst }: Write) {
  return store.transact(async (tx): Promise<unknown> => {
    const writer = tx.in(account)
    if (readFirst) await writer.find(things, { id })
    if (kind === 'remove') return writer.remove(things, { id })
    if (kind === 'erase') return eraseAccount(tx, account)
    if (kind === 'nested') {
      const piece = aPiece(id, { rank: size, serial: code, name })
      return (await writer.save(pieces, { id, parent: id }, piece, null)).revision
    }
    const { revision } = await writer.save(things, { id }, aThing(id, { code, size, name }), null)
    if (kind === 'fail') throw new Error(`undone ${revision}`)
    return revision
  })
}
