import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { measureCoverage } from './parts/coverage.ts'
import { type Judgement, judge } from './parts/judge.ts'
import { lineOf, type Mutation } from './parts/mutation.ts'
import { mutationsOf } from './parts/operators.ts'
import { faultsOf, mutationOf } from './parts/row.ts'
import { sample } from './parts/sample.ts'
import { rows } from './rows.ts'
import { copyProject } from './parts/workspace.ts'

/** The code whose mutations are drawn: what loses, doubles or gives away messages when it is wrong. */
const drawn = [
  'core',
  'engine',
  'gateway',
  'delivery',
  'http',
  'carriers/smpp',
  'stores/sql',
  'stores/sqlite',
]

/** The tests that may notice a mutation. Those of whole processes take too long, and know less. */
const tested =
  'test/{api,carriers,collections,config,core,delivery,encoding,engine,gateway,http,' +
  'isolation,moving,nodes,stores,versions}'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '100' },
    /** Leaves out so many of these, which another run tested. */
    skip: { type: 'string', default: '0' },
    /** Only files whose path has this text in it. */
    only: { type: 'string', default: '' },
    /** Only rows and kinds with this text in them. */
    kind: { type: 'string', default: '' },
    jobs: { type: 'string', default: '2' },
    /** A mutation is tested for at most about so many seconds. */
    budget: { type: 'string', default: '120' },
    /** The least score, in per cent, with which the run succeeds. */
    goal: { type: 'string', default: '0' },
    /** Checks the rows, lists what is drawn, and runs nothing. */
    list: { type: 'boolean', default: false },
    /** Goes by what tests ran when they were measured, although they changed since. */
    measured: { type: 'boolean', default: false },
    report: { type: 'string' },
  },
})

const sources = new Map(
  globSync('src/**/*.ts').map((file) => [file, readFileSync(file, 'utf8')] as const),
)

await main()

async function main(): Promise<void> {
  const faults = rows.flatMap((row) => faultsOf(row, sources))
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
  const mutations = chosen()
  if (values.list) {
    for (const mutation of mutations) console.log(describe(mutation))
    return
  }
  const judgements = await test(mutations)
  report(judgements)
}

function chosen(): readonly Mutation[] {
  const folders = drawn.map((folder) => `src/${folder}/`)
  const generic = [...sources]
    .filter(([file]) => folders.some((folder) => file.startsWith(folder)))
    .flatMap(([file, source]) => mutationsOf(file, source))
    .filter(isWanted)
  const fixed = rows.flatMap((row) => mutationOf(row, sources) ?? []).filter(isWanted)
  const sampled = sample(generic, sources, Number(values.seed), Number(values.count))
  return [...fixed, ...sampled].slice(Number(values.skip))
}

function isWanted({ file, kind, about }: Mutation): boolean {
  return file.includes(values.only) && (kind.includes(values.kind) || about.includes(values.kind))
}

async function test(mutations: readonly Mutation[]): Promise<readonly Judgement[]> {
  const jobs = Number(values.jobs)
  using measuring = copyProject()
  const tests = globSync(`${tested}/**/*.test.ts`)
    .filter((file) => !/postgres/.test(file))
    .toSorted()
  const measured = await measureCoverage(tests, measuring.folder, jobs, values.measured)

  const waiting = [...mutations]
  const judgements: Judgement[] = []
  const work = async (): Promise<void> => {
    using workspace = copyProject()
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const source = sources.get(next.file) ?? ''
      const judgement = await judge(next, source, measured, workspace, Number(values.budget) * 1000)
      judgements.push(judgement)
      console.log(`${waiting.length} left: ${verdictOf(judgement)}`)
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  return judgements
}

function report(judgements: readonly Judgement[]): void {
  const survivors = judgements.filter(({ noticedBy }) => noticedBy === null)
  const noticed = judgements.length - survivors.length
  const score = judgements.length === 0 ? 100 : (100 * noticed) / judgements.length
  const lines = [
    ...survivors.map(verdictOf),
    `seed ${values.seed}: ${noticed} of ${judgements.length} noticed, ${score.toFixed(1)} %`,
  ]
  console.log(`\n${lines.join('\n')}`)
  if (values.report !== undefined) {
    writeFileSync(
      values.report,
      `${[...judgements.map(verdictOf), ...lines.slice(-1)].join('\n')}\n`,
    )
  }
  if (score < Number(values.goal)) process.exitCode = 1
}

function verdictOf({ mutation, noticedBy, covering, run }: Judgement): string {
  return noticedBy === null
    ? `NOT NOTICED by ${run} of ${covering} tests: ${describe(mutation)}`
    : `NOTICED by ${noticedBy}: ${describe(mutation)}`
}

function describe(mutation: Mutation): string {
  const { file, start, end, text, about } = mutation
  const source = sources.get(file) ?? ''
  const before = source.slice(start, end).replaceAll(/\s+/g, ' ')
  const after = text.replaceAll(/\s+/g, ' ')
  return `${file}:${lineOf(source, mutation)} ${about}: ${before} -> ${after}`
}
