import { figure, spread } from '../figures.ts'
import { type Outcome, ratiosOf } from '../outcome.ts'
import type { Results } from './results.ts'
import { inWords, verdictsOn } from './verdicts.ts'

/** A table in Markdown, its columns as wide as what stands in them. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(3, ...rows.map((row) => [...(row[column] ?? '')].length)),
  )
  const line = (row: readonly string[]): string =>
    `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...rest] = rows
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)].join('\n')
}

/** The goals and what was found. */
export function goalsTable({ outcomes, options }: Results): string {
  const rows = verdictsOn(outcomes, options.perSecond).map((verdict) => [
    verdict.title,
    verdict.goal,
    verdict.found,
    verdict.byCpu,
    verdict.isMet ? 'yes' : 'no',
  ])
  return markdownTable([['work', 'goal', 'found (spread)', 'by CPU', 'met'], ...rows])
}

/** When, where and of what the figures are, in a sentence or two. */
export function provenance({ date, commit, machine }: Results): string {
  const { cores, model, system, node, loadBefore } = machine
  const busy =
    loadBefore > cores * 0.5
      ? ` The machine was busy with other things when the bench began (load ${loadBefore.toFixed(1)}): ` +
        'what is told in seconds says little, ratios more, those by CPU the most.'
      : ''
  return `${date}, commit ${commit}, ${cores} cores of ${model}, ${system}, Node ${node}.${busy}`
}

/** One work: everyone's figures, and the ratio of ours to each. */
export function outcomeTable(outcome: Outcome): string {
  const ratios = ratiosOf(outcome)
  const hasLatency = outcome.rows.some(({ p99Ms }) => p99Ms.length > 0)
  const hasCpu = outcome.rows.some(({ cpuMicros }) => cpuMicros.length > 0)
  const head = [
    '',
    `${outcome.unit} (spread)`,
    ...(hasLatency ? ['p50 ms', 'p99 ms'] : []),
    ...(hasCpu ? ['CPU µs each'] : []),
    ...(ratios.length > 0 ? ['ours to it (spread)', 'by CPU'] : []),
  ]
  const rows = outcome.rows.map((row) => {
    const ratio = ratios.find(({ to }) => to === row.subject)
    const middle = (values: readonly number[]): string =>
      values.length === 0 ? '' : figure(spread(values).median)
    return [
      row.subject,
      inWords(spread(row.values)),
      ...(hasLatency ? [middle(row.p50Ms), middle(row.p99Ms)] : []),
      ...(hasCpu ? [middle(row.cpuMicros)] : []),
      ...(ratios.length > 0
        ? [
            ratio === undefined ? '' : inWords(spread(ratio.values)),
            ratio === undefined || ratio.byCpu === null ? '' : figure(ratio.byCpu),
          ]
        : []),
    ]
  })
  return markdownTable([head, ...rows])
}
