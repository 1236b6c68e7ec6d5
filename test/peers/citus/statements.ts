import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { Client } from 'pg'
import { builtIn } from '../../../src/collections/built-in.ts'
import { type AccountId, accountId } from '../../../src/core/account.ts'
import type { Store, Transaction } from '../../../src/core/ports/store.ts'
import { answered } from '../../../src/delivery/egress/post.ts'
import { postgresStore } from '../../../src/stores/postgres/postgres-store.ts'
import { aNotification } from '../../conformance/sample-notifications.ts'
import { recordStatements, type Use } from '../../stores/support/recorded.ts'
import { useAsClient } from '../../stores/support/use-as-client.ts'
import { startApi } from '../../support/api.ts'
import { patientClock } from '../../support/virtual-clock.ts'
import { citusBinaries, startCluster } from './cluster.ts'
import { makeDistributed } from './distributed-store.ts'

const found = citusBinaries()
const skip = typeof found === 'string' ? found : false
if (skip !== false) console.error(`NOT TESTED: ${skip}`)

const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())

/** What may concern all workers, and why: none of it is asked for a request, a message or a delivery. */
const everywhere: readonly (readonly [what: RegExp, why: string])[] = [
  [/from "c\/webhooks" where 1 = 1/, 'retention and the metrics look through all webhooks'],
  [/from "c\/incoming_messages"/, 'each 30 seconds: messages of which parts are missing'],
  [/from "?(log_rest|t\/webhooks\/deliveries\/rest)/, 'retention'],
]

describe('the statements of requests, messages and deliveries on Citus', { skip }, () => {
  it('concern one shard each, and their transactions commit in one phase', async (t) => {
    const { bin } = typeof found === 'string' ? assert.fail(found) : found
    const cluster = parts.use(await startCluster(bin, { logs: 'all' }))
    await makeDistributed(cluster.url, builtIn, 8)
    const clock = patientClock(() => store.health?.pools() ?? [])
    using recorded = recordStatements()
    const store = await postgresStore(cluster.url, builtIn, () => {}, { clock })
    t.after(() => store[Symbol.asyncDispose]())
    const post = async () => ({ outcome: answered(204, null), response: '' })
    const api = await startApi(t, { clock, store, post })
    const key = { key: await api.newAccount('shop') }
    const logs = () => cluster.workers.map((worker) => worker.log())
    const before = logs().map((log) => log.length)

    await useAsClient(api, key)
    await useTogether(store)

    const wide = await beyondOneTask(cluster.url, recorded.uses())
    const unexplained = wide.filter((text) => !everywhere.some(([what]) => what.test(text)))
    const written = logs().map((log, at) => log.slice(before[at]))
    assert.ok(recorded.uses().length > 60)
    assert.deepEqual(missingSets(recorded.texts()), [])
    assert.deepEqual(unexplained, [])
    assert.deepEqual(written.flatMap(inTwoPhases), [])
  })
})

const shops = Array.from({ length: 9 }, (_, at) => accountId(`shop${at}`))

/** Accepts, submits and settles messages in works that share transactions, until all statements run in sets. */
async function useTogether(store: Store): Promise<void> {
  const messages = builtIn.find(({ name }) => name === 'messages') ?? assert.fail()
  const all = shops.flatMap((account) =>
    Array.from({ length: 4 }, (_, at) => ({ account, id: `together${at}` })),
  )
  const write = (
    named: readonly { readonly account: AccountId; readonly id: string }[],
    work: (tx: Transaction, account: AccountId, id: string) => Promise<unknown>,
  ) =>
    Promise.all(
      named.map(({ account, id }) =>
        store.transact((tx) => work(tx, account, id), 'TOGETHER', store.shardOf(account)),
      ),
    )
  for (let round = 1; round <= 4; round += 1) {
    const part = (id: string) => ({ carrier: 'c', carrierMessageId: `${round} ${id}` })
    await store.routes?.remember(
      all.map(({ account, id }) => ({ ...part(`${account} ${id}`), account, expiresAt: 1 })),
    )
    await write(all, async (tx, account, id) => {
      await tx.in(account).find(messages, { id })
      await tx.in(account).save(messages, { id }, { id, body: `${round}` }, null)
      await tx.in(account).enqueue(id, 1)
      await tx.in(account).notify(aNotification(id))
    })
    for (const shard of store.shards()) {
      const claimed = await store.transact((tx) => tx.submissions.claim(2, 9, 64), 'ALONE', shard)
      await Promise.all(
        claimed.map((one) =>
          store.transact(
            (tx) => tx.submissions.settle(one, { kind: 'FINISHED' }),
            'TOGETHER',
            shard,
          ),
        ),
      )
    }
    await write(all, (tx, account, id) => {
      const owned = { account, messageId: id, part: 1, outcome: null }
      return tx.receipts.expect({ ...owned, ...part(`${account} ${id}`) }, 1)
    })
  }
}

/** Returns those of the hot statements that were never sent for several messages in one. */
function missingSets(texts: readonly string[]): readonly string[] {
  const wanted = {
    accept: /^insert into "c\/messages" .* values \([^)]*\), \(/s,
    enqueue: /^insert into submissions .* values \([^)]*\), \(/s,
    expect: /^insert into receipts .* values \([^)]*\), \(/s,
    route: /^insert into receipt_routes .* values \([^)]*\), \(/s,
    append: /^insert into log .* values \([^)]*\), \(/s,
    outcome: /^update "c\/messages" .* from unnest\(/s,
    finish: /^delete from submissions using unnest\(/s,
    find: /^select p\.n, q\.\* from unnest\(.* from "c\/messages" /s,
    lock: /^select p\.n, q\.\* from unnest\(.* from log_heads .* for update/s,
  }
  return Object.entries(wanted)
    .filter(([, shape]) => !texts.some((text) => shape.test(text)))
    .map(([name]) => name)
}

/** Returns the statements of each transaction that was prepared, by the log of a worker. */
function inTwoPhases(log: string): readonly string[] {
  const open = new Map<string, string[]>()
  const found: string[] = []
  for (const [, process = '', text = ''] of log.matchAll(/\[(\d+)\] LOG:  [^:]+: (.*)/g)) {
    if (text.startsWith('BEGIN')) open.set(process, [])
    else open.get(process)?.push(text.slice(0, 120))
    if (text.startsWith('PREPARE TRANSACTION')) found.push((open.get(process) ?? []).join('\n'))
  }
  return found
}

/** The text of a parameter; that of an array in its binary form, as `binary-array.ts` writes it, is read back. */
function textOf(value: unknown): string {
  if (!Buffer.isBuffer(value)) return String(value)
  const type = value.readInt32BE(8)
  const elements: string[] = []
  for (let at = 20; at < value.length;) {
    const size = value.readInt32BE(at)
    at += 4
    elements.push(size === -1 ? 'null' : elementOf(type, value.subarray(at, at + size)))
    at += Math.max(size, 0)
  }
  return `{${elements.join(',')}}`
}

function elementOf(type: number, octets: Buffer): string {
  if (type === 25) return JSON.stringify(octets.toString())
  if (type === 701) return String(octets.readDoubleBE())
  return String(octets.length === 8 ? octets.readBigInt64BE() : octets.readIntBE(0, octets.length))
}

/** Returns the statements for which Citus asks more than one shard. */
async function beyondOneTask(url: string, uses: readonly Use[]): Promise<readonly string[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const wide: string[] = []
  for (const { text, values } of uses) {
    if (/pg_dist|pg_advisory|set_config|create_distributed/.test(text)) continue
    await client.query('begin')
    await client.query(`prepare asked as ${text}`)
    const given = values.map((value) =>
      value === null ? 'null' : client.escapeLiteral(textOf(value)),
    )
    const asked = given.length === 0 ? 'asked' : `asked(${given.join(', ')})`
    const { rows } = await client.query({
      text: `explain (costs off) execute ${asked}`,
      rowMode: 'array',
    })
    await client.query('deallocate asked')
    await client.query('rollback')
    const plan = rows.map(([line]) => String(line)).join('\n')
    const isOne = /Task Count: 1$/m.test(plan) && !/Task Count: (?!1$)\d+/m.test(plan)
    if (plan.includes('Custom Scan (Citus') && (!isOne || /Distributed Subplan/.test(plan)))
      wide.push(text)
  }
  await client.end()
  return wide
}
