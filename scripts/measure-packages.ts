import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measuredStart, seconds } from './measured-start.ts'

// Measures installation, start and idle memory of two commits in turn, and prints the medians: of commit 83350e6,
// where the service ran its TypeScript, and of HEAD. `--before`, `--after` and `--rounds` choose others.

const { values } = parseArgs({
  options: {
    before: { type: 'string', default: '83350e6' },
    after: { type: 'string', default: 'HEAD' },
    rounds: { type: 'string', default: '3' },
  },
})
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'nuncio-measure-'))

/** After this time without requests the memory is read. */
const idleMs = 15_000

/** The rows of the table, with the unit of their figures. */
const rows = {
  '`npm ci`': 's',
  'its CPU time': 's',
  '`node_modules` after it': 'MB',
  '`npm ci --omit=dev`': 's',
  'CPU time of that': 's',
  '`node_modules` after that': 'MB',
  '`npm install` of the tarballs': 's',
  'CPU time of the install': 's',
  '`node_modules` of the tarballs': 'MB',
  'the first `npm start` until ready': 's',
  'a further one': 's',
  'idle memory': 'MB',
} as const
type Row = keyof typeof rows
type Figures = Readonly<Record<Row, number>>

try {
  const trees = { before: exported(values.before), after: exported(values.after) }
  const found = { before: [] as Figures[], after: [] as Figures[] }
  console.log(`${cpus()[0]?.model ?? 'unknown'}, ${availableParallelism()} cores, load ${load()}`)
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    for (const side of ['before', 'after'] as const) {
      const figures = await measured(trees[side])
      found[side].push(figures)
      console.log(`round ${round} ${side}: ${JSON.stringify(figures)}`)
    }
  }
  console.log(`load ${load()}\n\n| | ${values.before} | ${values.after} |\n|---|---|---|`)
  for (const [row, unit] of Object.entries(rows) as [Row, string][]) {
    const [before, after] = [found.before, found.after].map((each) => median(each, row))
    console.log(`| ${row} | ${before} ${unit} | ${after} ${unit} |`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Writes the files of a commit into a folder of their own; returns it. */
function exported(commit: string): string {
  const tree = mkdtempSync(join(folder, 'tree-'))
  run(root, 'sh', '-c', `git archive "${commit}" | tar -x -C "${tree}"`)
  return tree
}

async function measured(tree: string): Promise<Figures> {
  const modules = join(tree, 'node_modules')
  rmSync(modules, { recursive: true, force: true })
  const ci = timed(tree, 'npm', 'ci')
  const ciSize = megabytes(modules)
  const starts = [
    await measuredStart(tree, folder, 0),
    await measuredStart(tree, folder, 0),
    await measuredStart(tree, folder, idleMs),
  ]
  const tarballs = packed(tree)

  const project = mkdtempSync(join(folder, 'project-'))
  writeFileSync(join(project, 'package.json'), '{"private":true}')
  const tarball = timed(project, 'npm', 'install', ...tarballs)

  // The build of the first installation stays, as an image has it.
  rmSync(modules, { recursive: true, force: true })
  const production = timed(tree, 'npm', 'ci', '--omit=dev')
  return {
    '`npm ci`': ci.seconds,
    'its CPU time': ci.cpuSeconds,
    '`node_modules` after it': ciSize,
    '`npm ci --omit=dev`': production.seconds,
    'CPU time of that': production.cpuSeconds,
    '`node_modules` after that': megabytes(modules),
    '`npm install` of the tarballs': tarball.seconds,
    'CPU time of the install': tarball.cpuSeconds,
    '`node_modules` of the tarballs': megabytes(join(project, 'node_modules')),
    'the first `npm start` until ready': starts[0]?.readySeconds ?? 0,
    'a further one': Math.min(...starts.slice(1).map(({ readySeconds }) => readySeconds)),
    'idle memory': starts.at(-1)?.memory ?? 0,
  }
}

/** Packs the three packages as the tree builds them; returns their files. */
function packed(tree: string): readonly string[] {
  const to = mkdtempSync(join(folder, 'tarballs-'))
  for (const name of ['.', 'packages/client', 'packages/receiver']) {
    const source = join(tree, name)
    const built = readdirSync(source).includes('dist') ? join(source, 'dist') : source
    run(built, 'npm', 'pack', '--silent', '--pack-destination', to)
  }
  return readdirSync(to).map((name) => join(to, name))
}

/** Runs a program; returns its time, and that of the processor, which other work on the machine changes less. */
function timed(cwd: string, program: string, ...args: readonly string[]) {
  const began = performance.now()
  const printed = run(cwd, 'sh', '-c', '"$@" >&2 || exit 1; times', 'sh', program, ...args)
  // The shell prints its own times, then those of its children.
  const ofChildren = printed.trim().split('\n').at(-1) ?? ''
  const cpuSeconds = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)]
    .map(([, minutes, rest]) => Number(minutes) * 60 + Number(rest))
    .reduce((sum, each) => sum + each, 0)
  return { seconds: seconds(began), cpuSeconds: Math.round(cpuSeconds * 10) / 10 }
}

function megabytes(path: string): number {
  return Number(run(root, 'du', '-sm', path).split('\t')[0])
}

function median(all: readonly Figures[], row: Row): number {
  const sorted = all.map((each) => each[row]).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function load(): string {
  return (loadavg()[0] ?? 0).toFixed(1)
}

/** Runs a program; returns its output. Throws if it fails. */
function run(cwd: string, program: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`)
  return stdout
}
