import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { Client } from 'pg'
import { builtIn } from '../../../src/collections/built-in.ts'
import { answered } from '../../../src/delivery/attempts/outcome.ts'
import { postgresStore } from '../../../src/stores/postgres/postgres-store.ts'
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

    const wide = await beyondOneTask(cluster.url, recorded.uses())
    const unexplained = wide.filter((text) => !everywhere.some(([what]) => what.test(text)))
    const written = logs().map((log, at) => log.slice(before[at]))
    assert.ok(recorded.uses().length > 60)
    assert.deepEqual(unexplained, [])
    assert.deepEqual(written.flatMap(inTwoPhases), [])
  })
})

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
      value === null ? 'null' : client.escapeLiteral(String(value)),
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
