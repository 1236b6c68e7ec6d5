import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { figure, spread } from './figures.ts'
import { thisMachine } from './machine.ts'
import {
  type Accepted,
  accept,
  connections,
  deliver,
  startFleet,
  travel,
  warmUp,
} from './nodes/fleet.ts'
import { findPgbench, pgbench, pgbenchDoes } from './nodes/pgbench.ts'
import { type WriteCost, writeCost } from './nodes/written.ts'
import { markdownTable } from './reporting/tables.ts'
import { type Postgres, postgresDurability, startPostgres } from './subjects/postgres.ts'
import { temporaryFolder } from './works/temporary-folder.ts'

/**
 * `npm run bench:nodes [-- --quick]`: one, two and three nodes over one PostgreSQL, beside pgbench
 * doing the insertions of as many messages. The server has a core; nodes, clients and pgbench have the other.
 */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    messages: { type: 'string' },
    out: { type: 'string', default: join(import.meta.dirname, 'report') },
  },
})
const usual = values.quick
  ? { rounds: 1, seconds: 2, messages: 1000, records: 2000 }
  : { rounds: 3, seconds: 5, messages: 100_000, records: 20_000 }
const plan = {
  ...usual,
  ...(values.rounds !== undefined && { rounds: Number(values.rounds) }),
  ...(values.seconds !== undefined && { seconds: Number(values.seconds) }),
  ...(values.messages !== undefined && { messages: Number(values.messages) }),
}
const machine = thisMachine()
const program = findPgbench()
const counts = [1, 2, 3]

/** What one round found. */
interface Round {
  readonly nodes: readonly (Accepted &
    WriteCost & { readonly notified: number; readonly delivered: number })[]
  /** Messages a second of pgbench; null where there is none. */
  readonly ceiling: number | null
}

const rounds: Round[] = []
{
  await using server = await startPostgres()
  for (let round = 0; round < plan.rounds; round += 1) rounds.push(await measure(server))
}
report()

async function measure(server: Postgres): Promise<Round> {
  const nodes: Round['nodes'][number][] = []
  for (const count of counts) {
    const url = await server.ownedDatabase()
    await using fleet = await startFleet(url, count)
    const accepted = await accept(fleet, url, plan.seconds)
    const [{ arrived, missing }, cost] = await writeCost(url, plan.messages + warmUp, () =>
      travel(fleet, plan.messages),
    )
    if (missing > 0) say(`${missing} MESSAGES WERE NEVER NOTIFIED`)
    const delivered = await deliver(fleet, plan.records)
    say(
      `${count} nodes: ${figure(accepted.perSecond)} accepted/s (${figure(accepted.size)} in a transaction), ` +
        `${figure(arrived)} notified/s, ${figure(delivered)} delivered/s`,
    )
    if (cost.checkpoints > 0) say(`${cost.checkpoints} CHECKPOINTS WITHIN THE RUN`)
    nodes.push({ ...accepted, ...cost, notified: arrived, delivered })
  }
  const ceiling = await ceilingOf(server)
  say(`pgbench: ${figure(ceiling ?? 0)}/s`)
  return { nodes, ceiling }
}

/** What the same insertions cost the server alone, in tables that the service made. */
async function ceilingOf(server: Postgres): Promise<number | null> {
  if (program === null) return null
  const url = await server.ownedDatabase()
  await (await startFleet(url, 1))[Symbol.asyncDispose]()
  using folder = temporaryFolder()
  const { path } = folder
  return await pgbench({ program, url, clients: connections, seconds: plan.seconds, folder: path })
}

function report(): void {
  const table = markdownTable([
    [
      'nodes',
      'accepted/s',
      'accepted, to pgbench',
      'messages in a transaction',
      'CPU µs each',
      'notified/s',
      'WAL each',
      'HOT updates',
      'GiB per million',
      'delivered/s',
    ],
    ...counts.map((count, at) => lineOf(count, at)),
  ])
  const ceilings = spread(rounds.flatMap(({ ceiling }) => ceiling ?? []))
  const text = [
    '# Nodes over one PostgreSQL',
    `${new Date().toISOString().slice(0, 10)}, commit ${commit()}, ${machine.cores} cores of ${machine.model}, ` +
      `load ${machine.loadBefore.toFixed(1)} when it began. PostgreSQL had one core; nodes, clients and pgbench ` +
      `the other${machine.isPinned ? '' : ' (not so here: there is no taskset)'}. ${plan.rounds} rounds of ` +
      `${plan.seconds} s; a figure is their median, a ratio that of one round. ${postgresDurability}. Made by ` +
      `\`npm run bench:nodes${values.quick ? ' -- --quick' : ''}\`.`,
    table,
    program === null
      ? 'There is no pgbench here.'
      : `${pgbenchDoes}: ` +
        `${figure(ceilings.median)} messages/s (${figure(ceilings.low)} to ${figure(ceilings.high)}). ` +
        'The goal is 0.4 of it.',
    meanwhile(),
    stops(),
  ].join('\n\n')
  mkdirSync(values.out, { recursive: true })
  writeFileSync(join(values.out, 'nodes.md'), `${text}\n`)
  const data = { commit: commit(), machine, plan, rounds }
  writeFileSync(join(values.out, 'nodes.json'), `${JSON.stringify(data, null, 2)}\n`)
  say(`\n${text}\n\nreport: ${values.out}/nodes.md`)
}

function lineOf(count: number, at: number): readonly string[] {
  const all = rounds.flatMap(({ nodes }) => nodes[at] ?? [])
  const middle = (of: (one: (typeof all)[number]) => number): string =>
    figure(spread(all.map(of)).median)
  const ratios = rounds.flatMap(({ nodes, ceiling }) => {
    const own = nodes[at]?.perSecond
    return own === undefined || ceiling === null ? [] : [own / ceiling]
  })
  return [
    String(count),
    middle(({ perSecond }) => perSecond),
    ratios.length === 0 ? '' : figure(spread(ratios).median),
    middle(({ size }) => size),
    middle(({ cpuMicros }) => cpuMicros),
    middle(({ notified }) => notified),
    `${figure(spread(all.map(({ walPerMessage }) => walPerMessage / 1000)).median)} KB`,
    middle(({ hotShare }) => hotShare),
    middle(({ gibPerMillion }) => gibPerMillion),
    middle(({ delivered }) => delivered),
  ]
}

/** What pgbench is spared. */
function meanwhile(): string {
  return (
    'Meanwhile the nodes answer over HTTP to clients that share their core, find the key of each request in ' +
    'the database, check the body, look for numbers and credits, write the JSON, ' +
    'and tell each other. Against that they let requests that come at once share a transaction, as ' +
    'the table says, which pgbench does not.'
  )
}

/** From which number of nodes on one more brings less than a tenth. */
function stops(): string {
  const rates = counts.map((_, at) =>
    spread(rounds.flatMap(({ nodes }) => nodes[at]?.perSecond ?? [])),
  )
  const at = rates.findIndex(({ median }, index) => (rates[index + 1]?.median ?? 0) < median * 1.1)
  const where = counts[at]
  return at === -1 || where === counts.at(-1)
    ? 'Accepting still grows with the third node.'
    : `Accepting stops growing at ${where} node${where === 1 ? '' : 's'}.`
}

function commit(): string {
  const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim()
  return git('rev-parse', '--short=10', 'HEAD')
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
