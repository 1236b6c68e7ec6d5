import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { builtIn } from '../../../src/collections/built-in.ts'
import { contacts } from '../../../src/collections/contacts.ts'
import { accountId } from '../../../src/core/account.ts'
import type { Collection } from '../../../src/core/declaration/collection.ts'
import { distributeStore } from '../../../src/wiring/distribute-store.ts'
import { postgresStore } from '../../../src/stores/postgres/postgres-store.ts'
import { things } from '../../conformance/sample-collections.ts'

import { ask, citusBinaries, startCluster } from './cluster.ts'

const found = citusBinaries()
const skip = typeof found === 'string' ? found : false
if (skip !== false) console.error(`NOT TESTED: ${skip}`)

const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())
const ours = accountId('ours')
const all: readonly Collection[] = [...builtIn, things]

describe('nuncio distribute', { skip }, () => {
  it('keeps rows, goes on after an interruption, and distributes what is declared later', async () => {
    const { bin } = typeof found === 'string' ? assert.fail(found) : found
    const { url } = parts.use(await startCluster(bin))
    const open = (collections = all) => postgresStore(url, collections)
    const run = (isLook: boolean) =>
      distributeStore(
        { url, shards: 4, isLook },
        () => {},
        () => {},
      )
    await using before = await open(builtIn)
    await before.transact((tx) => tx.in(ours).save(contacts, { id: 'c1' }, { name: 'Ada' }, null))
    await before[Symbol.asyncDispose]()

    const fresh = await run(true)
    await run(false)
    await ask(url, ["update meta set value = 'unfinished' where name = 'distribution'"])
    await assert.rejects(open(builtIn), /run the same "nuncio distribute" again/)
    const again = await run(false)
    await using store = await open()
    const kept = await store.read(ours, (reader) => reader.find(contacts, { id: 'c1' }))
    const later = await run(true)

    assert.equal(fresh.state, 'none')
    assert.equal(again.state, 'complete')
    assert.equal(kept?.id, 'c1')
    assert.ok(later.distributed.length > again.distributed.length)
    assert.equal(
      later.workers.reduce((sum, { cells }) => sum + cells, 0),
      256,
    )
  })
})
