import { execFileSync } from 'node:child_process'
import { thisMachine } from './machine.ts'
import { readOptions } from './options.ts'
import type { Outcome } from './outcome.ts'
import { outcomeTable, goalsTable } from './reporting/tables.ts'
import type { Results } from './reporting/results.ts'
import { writeReport } from './reporting/write-report.ts'
import { runWorks } from './run-works.ts'

// `npm run bench`: measures the service beside its ceilings and others, prints tables, writes a report.
const options = readOptions(process.argv.slice(2))
const machine = thisMachine()
say(
  `${machine.cores} × ${machine.model}, Node ${machine.node}, load ${machine.loadBefore.toFixed(1)}`,
)
say(
  machine.isPinned
    ? 'what is measured runs on the first core, the client on the second'
    : 'THERE IS NO taskset HERE: the client may run on the core of what is measured',
)

const { outcomes, participants, absent } = await runWorks(options, say, show)
const { out, ...rest } = options
const results: Results = {
  date: new Date().toISOString().slice(0, 10),
  commit: commit(),
  machine,
  options: rest,
  participants,
  absent,
  outcomes,
}
say(`\n${goalsTable(results)}`)
for (const line of absent) say(`ABSENT: ${line}`)
writeReport(out, results)
say(`\nreport: ${out}/README.md`)

function show(outcome: Outcome): void {
  say(`\n${outcome.title}\n${outcomeTable(outcome)}`)
  for (const note of outcome.notes) say(note)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function commit(): string {
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', args, { encoding: 'utf8' }).trim()
    const isChanged = git('status', '--porcelain', '--untracked-files=no', '--', 'src') !== ''
    return git('rev-parse', '--short=10', 'HEAD') + (isChanged ? '+' : '')
  } catch {
    return 'unknown'
  }
}
