import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { figure, spread } from './figures.ts'
import { type Fleet, startFleet, travel } from './nodes/fleet.ts'
import { transactionsIn } from './nodes/written.ts'
import { pause } from './processes.ts'
import { type Postgres, startPostgres } from './subjects/postgres.ts'

/**
 * `npm run bench:open-transactions [-- --seconds 300]`: accepted → notified while another program has a
 * writing transaction open, in another database and in the same one. Fails below `ratioMin` of the quiet runs
 * before and after, if a message is missing, or if an idle node polls.
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

/** Most transactions a second of an idle node, heartbeats included. A node that polls has thousands. */
const idleMax = 50

/** The time over which an idle node's transactions are counted, in milliseconds. */
const idleMs = 5000

/** Result of a period. */
interface Period {
  /** Messages a second, of each run in it. */
  readonly rates: readonly number[]
  readonly missing: number
  /** Transactions a second without messages. */
  readonly idle: number
}

const failures: string[] = []
{
  await using server = await startPostgres()
  const url = await server.ownedDatabase()
  await using fleet = await startFleet(url, 1)
  await travel(fleet, messages)
  let quiet = await quietPeriod(fleet, url)
  for (const [where, foreign] of await databases(server, url)) {
    const held = await whileOpen(foreign, () => heldPeriod(fleet, url))
    const after = await quietPeriod(fleet, url)
    judge(where, held, [...quiet.rates, ...after.rates])
    quiet = after
  }
}
for (const failure of failures) say(`FAILED: ${failure}`)
process.exitCode = failures.length === 0 ? 0 : 1

async function databases(server: Postgres, own: string) {
  return [
    ['another database', await server.database()] as const,
    ['the same database', own] as const,
  ]
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

/** Measures without a foreign transaction, with as many runs as find a spread. */
async function quietPeriod(fleet: Fleet, url: string): Promise<Period> {
  return period(fleet, url, (runs) => runs < 3)
}

/** Measures for the whole time: what a snapshot costs grows with its age. */
async function heldPeriod(fleet: Fleet, url: string): Promise<Period> {
  const end = performance.now() + seconds * 1000
  return period(fleet, url, (runs) => runs < 3 || performance.now() < end)
}

async function period(
  fleet: Fleet,
  url: string,
  isMore: (runs: number) => boolean,
): Promise<Period> {
  const rates: number[] = []
  let missing = 0
  while (isMore(rates.length)) {
    const result = await travel(fleet, messages)
    rates.push(result.arrived)
    missing += result.missing
  }
  return { rates, missing, idle: await idleRate(url) }
}

/** Returns the transactions a second of a node with nothing to do. */
async function idleRate(url: string): Promise<number> {
  await pause(idleMs)
  const before = await transactionsIn(url)
  await pause(idleMs)
  return ((await transactionsIn(url)) - before) / (idleMs / 1000)
}

function judge(where: string, held: Period, quiet: readonly number[]): void {
  const usual = spread(quiet)
  const rate = spread(held.rates)
  const last = spread(held.rates.slice(-3)).median
  const ratio = rate.median / usual.median
  say(
    `${where}, ${seconds} s, ${held.rates.length} runs of ${messages}: ${figure(rate.median)} notified/s ` +
      `(${figure(rate.low)} to ${figure(rate.high)}; the last three ${figure(last)}), ` +
      `quiet ${figure(usual.median)} (${figure(usual.low)} to ${figure(usual.high)}): ${figure(ratio)}; ` +
      `${held.missing} missing; idle ${figure(held.idle)} transactions/s`,
  )
  if (ratio < ratioMin) failures.push(`${where}: ${figure(ratio)} is below ${ratioMin}`)
  if (held.missing > 0) failures.push(`${where}: ${held.missing} messages were never notified`)
  if (held.idle > idleMax)
    failures.push(`${where}: an idle node polls, ${figure(held.idle)} a second`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
