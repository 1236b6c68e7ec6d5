import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spread } from '../figures.ts'
import type { Outcome } from '../outcome.ts'
import type { Results } from './results.ts'
import { barPlot, type Curve, linePlot } from './svg.ts'
import { goalsTable, markdownTable, outcomeTable, provenance } from './tables.ts'

/** Writes the report into a folder: a page, a plot for each work, and the data they are made from. */
export function writeReport(folder: string, results: Results): void {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) if (name.endsWith('.svg')) rmSync(join(folder, name))
  writeFileSync(join(folder, 'data.json'), `${JSON.stringify(results, null, 2)}\n`)
  writeFileSync(join(folder, 'README.md'), page(results))
  for (const outcome of results.outcomes.filter(hasBars)) {
    writeFileSync(join(folder, `${outcome.work}.svg`), barPlot(outcome))
  }
  const grown = results.outcomes.filter(({ work }) => work.startsWith('growth-'))
  for (const [name, title, unit] of growthPlots) {
    const curves = grown.flatMap((outcome) => curveOf(outcome, name))
    if (curves.length > 0) {
      writeFileSync(join(folder, `${name}.svg`), linePlot(title, unit, curves))
    }
  }
}

const growthPlots = [
  ['growth-p50', 'p50 over the messages in the store', 'ms, 8 connections'],
  ['growth-cpu', 'CPU of a request over the messages in the store', 'µs'],
  ['growth-memory', 'Memory over the messages in the store', 'MB'],
] as const

function curveOf(
  { work, title, rows }: Outcome,
  plot: (typeof growthPlots)[number][0],
): readonly Curve[] {
  const isMemory = work === 'growth-memory'
  if (isMemory !== (plot === 'growth-memory')) return []
  const points = rows.flatMap(({ subject, values, p50Ms, cpuMicros }): [number, number][] => {
    const own = isMemory ? values : plot === 'growth-p50' ? p50Ms : cpuMicros
    return own.length === 0 ? [] : [[Number.parseInt(subject, 10), spread(own).median]]
  })
  return points.length === 0 ? [] : [{ name: title, points }]
}

function page(results: Results): string {
  const { machine, options, participants, absent, outcomes } = results
  const pinned = machine.isPinned
    ? 'What is measured ran on one core, the client on another.'
    : 'The client could not be kept off the core of what is measured: there is no taskset here.'
  return `${[
    '# What was measured',
    `${provenance(results)} ${pinned} ` +
      `${options.rounds} interleaved runs of ${options.seconds} s each; a figure is their median, ` +
      `with the lowest and the highest. Made by \`npm run bench${options.isQuick ? ' -- --quick' : ''}\`; ` +
      '[how to read it](../README.md), [data](data.json).',
    '## Goals',
    goalsTable(results),
    '## Who took part',
    markdownTable([
      ['', 'version', 'durability'],
      ...participants.map(({ name, version, durability }) => [name, version, durability]),
    ]),
    ...absent.map((line) => `Absent: ${line}.`),
    ...outcomes.filter((outcome) => !outcome.work.startsWith('growth-')).flatMap(section),
    ...growthSections(outcomes),
  ]
    .filter((part) => part !== '')
    .join('\n\n')}\n`
}

function section(outcome: Outcome): readonly string[] {
  return [
    `## ${outcome.title}`,
    outcomeTable(outcome),
    ...outcome.notes,
    ...(hasBars(outcome) ? [`![${outcome.title}](${outcome.work}.svg)`] : []),
  ]
}

function hasBars({ work, rows }: Outcome): boolean {
  return rows.length > 1 && !work.startsWith('growth-')
}

function growthSections(outcomes: readonly Outcome[]): readonly string[] {
  const grown = outcomes.filter(({ work }) => work.startsWith('growth-'))
  if (grown.length === 0) return []
  return [
    '## Growth with the messages in the store',
    ...growthPlots.map(([name, title]) => `![${title}](${name}.svg)`),
    ...grown.flatMap((outcome) => [`### ${outcome.title}`, outcomeTable(outcome)]),
  ]
}
