import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { figure, spread } from './figures.ts'
import { type Fleet, startFleet, travel } from './nodes/fleet.ts'
import { transactionsIn } from './nodes/written.ts'
import { pause } from './processes.ts'
import { type Postgres, startPostgres } from './subjects/postgres.ts'

/**
 * `npm run bench:open-transactions [-- --seconds 300]`: accepted → notified while another program has a
 * writing transaction open, in another database and in the same one. Runs alternate with those over a quiet
 * server. Fails below `ratioMin` of these, if a message is missing, or if an idle node polls.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '300' },
    messages: { type: 'string', default: '2000' },
  },
})
const seconds = Number(values.seconds)
const messages = Number(values.messages)

/** Least share of the quiet rate. */
const ratioMin = 0.8

/** Fewest pairs of runs. */
const pairsMin = 3

/** Most transactions a second of an idle node, heartbeats included. A node that polls has thousands. */
const idleMax = 50

/** The time over which an idle node's transactions are counted, in milliseconds. */
const idleMs = 5000

/** A node over a PostgreSQL of its own. */
interface Side {
  readonly server: Postgres
  readonly url: string
  readonly fleet: Fleet
}

/** Pairs of runs in turn, one next to the open transaction and one on the quiet server. */
interface Pairs {
  readonly rates: readonly { readonly held: number; readonly quiet: number }[]
  readonly missing: number
  /** Transactions a second of the node next to the open transaction, without messages. */
  readonly idle: number
}

const failures: string[] = []
{
  await using opened = new AsyncDisposableStack()
  const [one, other] = [await openSide(opened), await openSide(opened)]
  const elsewhere = await one.server.database()
  judge('another database', await whileOpen(elsewhere, () => measure(one, other)))
  judge('the same database', await whileOpen(other.url, () => measure(other, one)))
}
for (const failure of failures) say(`FAILED: ${failure}`)
process.exitCode = failures.length === 0 ? 0 : 1

async function openSide(opened: AsyncDisposableStack): Promise<Side> {
  const server = opened.use(await startPostgres())
  const url = await server.ownedDatabase()
  const fleet = opened.use(await startFleet(url, 1))
  await travel(fleet, messages)
  return { server, url, fleet }
}

/** Runs work while a program has a transaction open that wrote a row and holds a snapshot. */
async function whileOpen<T>(url: string, work: () => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('create table if not exists public.foreign_program (id int)')
    await client.query('begin isolation level repeatable read')
    await client.query('insert into public.foreign_program values (1)')
    await client.query('select count(*) from pg_class')
    return await work()
  } finally {
    await client.end()
  }
}

/** Measures for the whole time: what a snapshot costs grows with its age. */
async function measure(held: Side, quiet: Side): Promise<Pairs> {
  const end = performance.now() + seconds * 1000
  const rates: { held: number; quiet: number }[] = []
  let missing = 0
  while (rates.length < pairsMin || performance.now() < end) {
    const order = rates.length % 2 === 0 ? [held, quiet] : [quiet, held]
    const found = new Map<Side, number>()
    for (const side of order) {
      const result = await travel(side.fleet, messages)
      found.set(side, result.arrived)
      missing += result.missing
    }
    rates.push({ held: found.get(held) ?? 0, quiet: found.get(quiet) ?? 0 })
  }
  return { rates, missing, idle: await idleRate(held.url) }
}

/** Returns the transactions a second of a node with nothing to do. */
async function idleRate(url: string): Promise<number> {
  await pause(idleMs)
  const before = await transactionsIn(url)
  await pause(idleMs)
  return ((await transactionsIn(url)) - before) / (idleMs / 1000)
}

function judge(where: string, { rates, missing, idle }: Pairs): void {
  const ratio = spread(rates.map(({ held, quiet }) => held / quiet))
  const rate = spread(rates.map(({ held }) => held))
  say(
    `${where}, ${seconds} s, ${rates.length} pairs of ${messages}: ${figure(rate.median)} notified/s, ` +
      `${figure(ratio.median)} of the quiet server (${figure(ratio.low)} to ${figure(ratio.high)}); ` +
      `${missing} missing; idle ${figure(idle)} transactions/s`,
  )
  if (ratio.median < ratioMin)
    failures.push(`${where}: ${figure(ratio.median)} is below ${ratioMin}`)
  if (missing > 0) failures.push(`${where}: ${missing} messages were never notified`)
  if (idle > idleMax) failures.push(`${where}: an idle node polls, ${figure(idle)} a second`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
