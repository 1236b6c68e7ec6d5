import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { describe, it, type TestContext } from 'node:test'
import { builtIn } from '../../../src/collections/built-in.ts'
import { startFleet, startReceiver, pause } from '../../process/support/fleet.ts'
import { ask, citusBinaries, startCluster } from './cluster.ts'
import { makeDistributed } from './distributed-store.ts'
import { sendFrom } from './account-load.ts'

/**
 * Throughput, CPU time, WAL and network of messages, on one server, and on one worker and two. Each waits for its
 * disk.
 */
const messages = Number(process.env['MEASURE_CITUS_MESSAGES'] ?? 3000)
const rounds = Number(process.env['MEASURE_CITUS_ROUNDS'] ?? 2)
const clients = 48
const accounts = 24

const found = citusBinaries()
const skip = typeof found === 'string' ? found : false
if (skip !== false) console.error(`NOT MEASURED: ${skip}`)

describe('messages on Citus', { skip }, () => {
  it('cost', { timeout: 1_800_000 }, async (t) => {
    if (typeof found === 'string') return
    for (let round = 1; round <= rounds; round += 1) {
      for (const workers of [0, 1, 2]) {
        await t.test(`${workers} workers, round ${round}`, (own) =>
          measure(own, found.bin, workers),
        )
      }
    }
  })
})

async function measure(t: TestContext, bin: string, workers: number): Promise<void> {
  const cluster = await startCluster(bin, { workers, isDurable: true, counts: true })
  t.after(() => cluster[Symbol.asyncDispose]())
  const url = workers === 0 ? await cluster.plainDatabase() : cluster.url
  if (workers > 0) await makeDistributed(url, builtIn, 8)
  const receiver = await startReceiver(t)
  const fleet = await startFleet(t, url, ['api,submit,deliver'])
  const load = await sendFrom(fleet, receiver, accounts)
  const delivered = (): number =>
    [...receiver.told.values()].reduce(
      (sum, seen) => sum + [...seen].filter((name) => name.endsWith('DELIVERED')).length,
      0,
    )
  const run = async (count: number): Promise<void> => {
    const wanted = delivered() + count
    await load.send(count, clients)
    while (delivered() < wanted) await pause(20)
  }

  await run(Math.ceil(messages / 10))
  const servers = [
    url,
    ...cluster.workers.map(({ port }) => new URL(url.replace(/:\d+\//, `:${port}/`)).href),
  ]
  const pids = [cluster.coordinator, ...cluster.workers].map((server) => server.pid())
  const cpu = (): number => cpuSeconds(pids, fleet.at(0)?.process.pid ?? 0)
  for (const server of servers) await ask(server, ['select pg_stat_statements_reset()'])
  const ports = servers.map((server) => new URL(server).port)
  const [wal, before, began] = [await walOf(servers), cpu(), performance.now()]
  const octets = octetsOf(ports)
  await run(messages)
  const seconds = (performance.now() - began) / 1000
  const sent = (octetsOf(ports) - octets) / messages / 1024
  const used = ((cpu() - before) / messages) * 1000
  const asked = (await statementsOf(servers, messages)).join(' + ')
  const written = ((await walOf(servers)) - wal) / messages / 1024
  t.diagnostic(
    `${(messages / seconds).toFixed(0)} messages/s; per message ${used.toFixed(2)} ms of CPU, ` +
      `${written.toFixed(1)} KiB of WAL, ${sent.toFixed(1)} KiB over the network of the coordinator, ` +
      `${asked} statements; load ${loadavg()[0]?.toFixed(1)}`,
  )
  await fleet.end(0, 'SIGTERM')
}

async function walOf(urls: readonly string[]): Promise<number> {
  let sum = 0
  for (const url of urls) {
    const [row] = await ask(url, ["select pg_current_wal_insert_lsn() - '0/0' as octets"])
    sum += Number(row?.['octets'])
  }
  return sum
}

/**
 * Returns what the open connections of servers have carried, both ways; NaN without `ss` (iproute2). All of a worker's
 * are with the coordinator.
 */
function octetsOf(ports: readonly string[]): number {
  const isOurs = ports.map((port) => `sport = :${port}`).join(' or ')
  try {
    const text = execFileSync('ss', ['-tniH', 'state', 'established', `( ${isOurs} )`], {
      encoding: 'utf8',
    })
    const counts = text.matchAll(/bytes_(?:sent|received):(\d+)/g)
    return [...counts].reduce((sum, [, octets]) => sum + Number(octets), 0)
  } catch {
    return NaN
  }
}

/** Returns the statements of each server for a message, without the beginnings and ends of transactions. */
async function statementsOf(urls: readonly string[], count: number): Promise<readonly string[]> {
  const found: string[] = []
  for (const url of urls) {
    const [row] = await ask(url, [
      `select sum(calls) as calls from pg_stat_statements
        where dbid = (select oid from pg_database where datname = current_database())
          and query !~* '^(begin|commit|select assign_distributed_transaction_id)'`,
    ])
    found.push((Number(row?.['calls']) / count).toFixed(1))
  }
  return found
}

/** Returns the CPU time of servers with all that have served a connection, and of a process. */
function cpuSeconds(servers: readonly number[], service: number): number {
  let ticks = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const fields = statOf(name)
    const [parent, user, system, ofChildren, systemOfChildren] = [1, 11, 12, 13, 14].map((at) =>
      Number(fields[at]),
    )
    const isServer = servers.includes(Number(name))
    const isOurs = isServer || servers.includes(parent ?? 0) || Number(name) === service
    if (isOurs) ticks += (user ?? 0) + (system ?? 0)
    if (isServer) ticks += (ofChildren ?? 0) + (systemOfChildren ?? 0)
  }
  return ticks / 100
}

/** Returns the fields behind the name of a process; none if it has ended. */
function statOf(pid: string): readonly string[] {
  try {
    return (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? '').split(' ')
  } catch {
    return []
  }
}
