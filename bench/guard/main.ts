import { parseArgs } from 'node:util'
import { join } from 'node:path'
import { cpuMicros } from '../processes.ts'
import { temporaryFolder } from '../works/temporary-folder.ts'
import { type Effort, type Guarded, guarded, measure, type Pair } from './measure.ts'
import { checkOut, commitOf, earlierCommit, thisTree } from './trees.ts'
import { compare, isSlower } from './verdict.ts'

// `npm run bench:guard`: fails where this state is slower than an earlier commit by more than the margin.
const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    margin: { type: 'string', default: '0.2' },
    processes: { type: 'string', default: '2' },
    pairs: { type: 'string', default: '24' },
    seconds: { type: 'string', default: '0.12' },
  },
})
const margin = Number(values.margin)
const effort: Effort = { pairs: Number(values.pairs), seconds: Number(values.seconds) }

/** Work of a day or so is compared with what was there before it: small steps add up. */
const hoursBack = 4

const commit =
  values.against === undefined
    ? (earlierCommit(hoursBack) ?? commitOf('HEAD^'))
    : commitOf(values.against)
if (commit === null) {
  say(`NOT COMPARED: there is no ${values.against ?? 'earlier commit'} here`)
} else {
  await guard(commit)
}

async function guard(against: string): Promise<void> {
  using folder = temporaryFolder()
  using old = checkOut(against, join(folder.path, 'tree'))
  const cost = cpuMicros(process.pid) === null ? 'time' : 'CPU'
  say(`${cost} of a request, this state to ${against.slice(0, 10)}; margin ${percent(margin)}`)
  const trees = { old: old.folder, now: thisTree }
  const { only } = values
  const wanted = guarded.filter((work) => only.length === 0 || only.includes(work))
  const first = await findSlower(trees, wanted)
  if (first.length === 0) return
  say(`measured again, with new processes: ${first.join(', ')}`)
  const twice = await findSlower(trees, first)
  if (twice.length === 0) return
  say(`SLOWER by more than ${percent(margin)}, twice: ${twice.join(', ')}`)
  process.exitCode = 1
}

async function findSlower(
  trees: { readonly old: string; readonly now: string },
  works: readonly Guarded[],
): Promise<readonly Guarded[]> {
  const all = new Map<Guarded, Pair[]>(works.map((work) => [work, []]))
  for (let round = 0; round < Number(values.processes); round += 1) {
    const found = await measure(trees, works, effort)
    for (const [work, pairs] of found) all.get(work)?.push(...pairs)
  }
  return works.filter((work) => {
    const found = compare(all.get(work) ?? [])
    // A start is measured once a process: too seldom to be sure of it. It is shown, no more.
    const isTold = found.pairs > 5 && isSlower(found, margin)
    const bounds = found.pairs > 5 ? ` (${ratio(found.atLeast)} to ${ratio(found.atMost)})` : ''
    say(`  ${work.padEnd(6)} ${ratio(found.median)}${bounds}${isTold ? '  SLOWER' : ''}`)
    return isTold
  })
}

function ratio(value: number): string {
  return value.toFixed(2)
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
