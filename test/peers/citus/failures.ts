import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type AccountId, accountId } from '../../../src/core/account.ts'
import { builtIn } from '../../../src/collections/built-in.ts'
import { type Store, StoreUnavailable } from '../../../src/core/ports/store.ts'
import { postgresStore } from '../../../src/stores/postgres/postgres-store.ts'
import {
  headers,
  pause,
  startFleet,
  startReceiver,
  type Receiver,
} from '../../process/support/fleet.ts'
import { type AccountLoad, loadAccounts, type LoadedAccount } from './account-load.ts'
import { ask, citusBinaries, type Cluster, startCluster } from './cluster.ts'
import { makeDistributed } from './distributed-store.ts'

const found = citusBinaries()
const skip = typeof found === 'string' ? found : false
if (skip !== false) console.error(`NOT TESTED: ${skip}`)

const every = 'api,submit,deliver'

/** A commit whose outcome is unknown may have claimed messages: they go again when the claim of a minute ends. */
const lostAfterMs = 150_000
const aServer = 'A server of the store is unavailable. Retry later.'

/** Starts two nodes over a cluster with two workers, under the load of several accounts. */
async function startAll(t: TestContext) {
  const { bin } = typeof found === 'string' ? assert.fail(found) : found
  const cluster = await startCluster(bin)
  t.after(() => cluster[Symbol.asyncDispose]())
  await makeDistributed(cluster.url, builtIn, 4)
  const receiver = await startReceiver(t)
  const fleet = await startFleet(t, cluster.url, [every, every])
  const load = await loadAccounts(t, fleet, receiver, 6)
  t.after(async () => {
    for (let place = 0; place < fleet.size; place += 1) await fleet.end(place, 'SIGTERM')
  })
  return { cluster, fleet, receiver, load }
}

describe('two nodes on Citus', { skip }, () => {
  it('serve the accounts of one worker while the other is stopped, and lose nothing', async (t) => {
    const { cluster, fleet, receiver, load } = await startAll(t)
    const [worker = assert.fail()] = cluster.workers
    const theirs = await accountsOn(cluster, worker.port, load)
    await using store = await postgresStore(cluster.url, builtIn)
    const old = load.accounts.map(({ id }) => oldPart(store, accountId(id)))
    await Promise.all(old.map((part) => part.add()))
    await pause(3000)

    await worker.kill()
    await pause(1000)
    load.mark()
    const told = toldOf(receiver, load.accounts)
    await pause(6000)
    const answers = load.accounts.map(({ id, answers }) => ({ id, answers: new Map(answers) }))
    const reasons = new Set(load.accounts.flatMap((account) => [...account.reasons]))
    const toldSince = toldOf(receiver, load.accounts).map((count, at) => count - (told[at] ?? 0))
    const overAll = await fetch(`${fleet.at(0)?.url}/v1/statistics`, { headers })
    const said = JSON.parse(await overAll.text())
    const { failure } = await store.maintain(2, 9)
    await worker.start()
    await pause(5000)
    const left = await Promise.all(old.map((part) => part.isLeft()))
    await load.end()
    const lost = await lostOf(load, receiver, lostAfterMs)

    t.diagnostic(answers.map(({ id, answers }) => `${id} ${shown(answers)}`).join('; '))
    t.diagnostic(`accepted ${load.accounts.map(({ accepted }) => accepted.size).join(', ')}`)
    for (const [at, { id, answers: given }] of answers.entries()) {
      const isTheirs = theirs.includes(id)
      assert.equal(given.has(201), !isTheirs, `${id}: ${shown(given)}`)
      assert.equal(
        [...given.keys()].every((status) => status === (isTheirs ? 503 : 201)),
        true,
        id,
      )
      assert.equal((toldSince[at] ?? 0) > 0, !isTheirs, `${id} was told ${toldSince[at]} times`)
    }
    assert.ok(load.accounts.every(({ isUnannounced }) => !isUnannounced))
    assert.equal(overAll.status, 503)
    assert.ok(overAll.headers.has('retry-after'))
    assert.deepEqual([...reasons, said.detail], [aServer, aServer])
    assert.ok(failure instanceof StoreUnavailable)
    assert.deepEqual(
      left,
      load.accounts.map(({ id }) => theirs.includes(id)),
    )
    assert.deepEqual(lost, [])
    assert.deepEqual(disorderOf(receiver), [])
  })

  it('lose nothing while cells move to a new worker', async (t) => {
    const { cluster, receiver, load } = await startAll(t)
    await pause(2000)

    await cluster.addWorker()
    const began = performance.now()
    await ask(cluster.url, ['select rebalance_table_shards()'])
    const seconds = Math.round((performance.now() - began) / 1000)
    await pause(5000)
    await load.end()
    const lost = await lostOf(load, receiver, lostAfterMs)

    const workers = await ask(cluster.url, ['select distinct nodeport from citus_shards'])
    t.diagnostic(`rebalanced in ${seconds} s`)
    t.diagnostic(load.accounts.map(({ id, answers }) => `${id} ${shown(answers)}`).join('; '))
    assert.ok(workers.length >= 3)
    assert.deepEqual(lost, [])
    assert.deepEqual(disorderOf(receiver), [])
  })
})

/** Returns the accounts whose rows a worker has; some have theirs on each. */
async function accountsOn(
  { url }: Cluster,
  port: number,
  { accounts }: AccountLoad,
): Promise<readonly string[]> {
  await using store = await postgresStore(url, builtIn)
  const theirs = accounts
    .map(({ id }) => id)
    .filter((id) => store.shardOf(accountId(id)).endsWith(`:${port}`))
  assert.ok(theirs.length > 0 && theirs.length < accounts.length, 'all accounts are on one worker')
  return theirs
}

/** A part whose receipt came long ago. */
function oldPart(store: Store, account: AccountId) {
  const part = { account, messageId: 'old', part: 1, carrier: 'c', carrierMessageId: account }
  const shard = store.shardOf(account)
  return {
    add: () =>
      store.transact(
        ({ receipts }) =>
          receipts.expect({ ...part, outcome: { type: 'DELIVERED', detail: null } }, 1),
        'ALONE',
        shard,
      ),
    isLeft: () =>
      store.transact(
        async ({ receipts }) => (await receipts.parts(account, 'old')).length > 0,
        'ALONE',
        shard,
      ),
  }
}

function toldOf({ told }: Receiver, accounts: readonly LoadedAccount[]): readonly number[] {
  return accounts.map(({ id }) => told.get(`/${id}`)?.size ?? 0)
}

/** Waits until each webhook was told that each message was delivered; returns what is missing in the end. */
async function lostOf(
  { accounts }: AccountLoad,
  { told }: Receiver,
  waitMs: number,
): Promise<readonly string[]> {
  const missing = (): readonly string[] =>
    accounts.flatMap(({ id, accepted }) =>
      [...accepted].filter((message) => told.get(`/${id}`)?.has(`${message} DELIVERED`) !== true),
    )
  for (let waited = 0; missing().length > 0 && waited < waitMs; waited += 200) await pause(200)
  return missing()
}

/** Returns the messages of which a webhook was told the statuses in another order than that of their life. */
function disorderOf({ told }: Receiver): readonly string[] {
  const life = ['ACCEPTED', 'SENT', 'DELIVERED']
  return [...told.values()].flatMap((seen) => {
    const ranks = new Map<string, number>()
    return [...seen].filter((name) => {
      const [id = '', status = ''] = name.split(' ')
      const before = ranks.get(id) ?? -1
      ranks.set(id, life.indexOf(status))
      return life.indexOf(status) < before
    })
  })
}

function shown(answers: ReadonlyMap<number, number>): string {
  return [...answers].map(([status, count]) => `${status}: ${count}`).join(', ')
}
