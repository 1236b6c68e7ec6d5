import { execFileSync } from 'node:child_process'
import { thisMachine } from './machine.ts'
import { readOptions } from './options.ts'
import type { Outcome } from './outcome.ts'
import { outcomeTable, goalsTable } from './reporting/tables.ts'
import type { Results } from './reporting/results.ts'
import { writeReport } from './reporting/write-report.ts'
import { type Found, runWorks } from './run-works.ts'

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

const { out, ...asked } = options
const date = new Date().toISOString().slice(0, 10)
const head = commit()

const found = await runWorks(options, say, show)
say(`\n${goalsTable(resultsOf(found))}`)
for (const line of found.absent) say(`ABSENT: ${line}`)
writeReport(out, resultsOf(found))
say(`\nreport: ${out}/README.md`)

function resultsOf(of: Found): Results {
  return { date, commit: head, machine, options: asked, ...of }
}

/** The report is written after each work: what interrupts an hour's run takes one work with it. */
function show(outcome: Outcome, until: Found): void {
  writeReport(out, resultsOf(until))
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
