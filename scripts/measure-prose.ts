import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { checkProse, type ProseFindings } from './prose.ts'

// Prints phrases to avoid by file, and the sums next to those of commit 83350e6. It never fails: a phrase
// can be right in its place. `--root` measures another tree; `--record` keeps the sums as the earlier ones.

const { values } = parseArgs({
  options: {
    root: { type: 'string', default: new URL('..', import.meta.url).pathname },
    record: { type: 'boolean', default: false },
  },
})
const recordFile = new URL('prose-83350e6.json', import.meta.url)

const findings = checkProse(resolve(values.root))
for (const found of findings
  .filter((each) => hits(each) > 0)
  .toSorted((a, b) => hits(b) - hits(a))) {
  console.log(`${String(hits(found)).padStart(4)}  ${found.file}: ${summary(found)}`)
}

const sums = Object.fromEntries(
  ['src', 'packages', 'docs', 'other'].map((area) => [area, sumsOf(area)] as const),
)
if (values.record) writeFileSync(recordFile, `${JSON.stringify(sums, null, 2)}\n`)
const before = JSON.parse(readFileSync(recordFile, 'utf8'))
console.log('\n          words            phrases        weak openings of    long log')
console.log('                                          doc comments        events')
for (const [area, sum] of Object.entries(sums)) {
  console.log(`${area.padEnd(10)}${line(before[area])}  at 83350e6`)
  console.log(`${''.padEnd(10)}${line(sum)}  now`)
}

interface Sums {
  readonly words: number
  readonly phrases: number
  readonly openings: number
  readonly docComments: number
  readonly longEvents: number
}

function sumsOf(area: string): Sums {
  const found = findings.filter(({ file }) => areaOf(file) === area)
  const count = (of: (each: ProseFindings) => number): number =>
    found.reduce((total, each) => total + of(each), 0)
  return {
    words: count(({ words }) => words),
    phrases: count(({ phrases }) => phrases.length),
    openings: count(({ openings }) => openings.length),
    docComments: count(({ docComments }) => docComments),
    longEvents: count(({ longEvents }) => longEvents.length),
  }
}

function areaOf(file: string): string {
  const [area = ''] = file.split('/')
  return ['src', 'packages', 'docs'].includes(area) ? area : 'other'
}

function hits({ phrases, openings, longEvents }: ProseFindings): number {
  return phrases.length + openings.length + longEvents.length
}

function summary({ phrases, openings, longEvents }: ProseFindings): string {
  const counted = [
    ...Map.groupBy([...phrases, ...openings.map((word) => `${word} …`)], (hit) => hit),
  ]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([hit, all]) => (all.length === 1 ? hit : `${hit} (${all.length})`))
  return [...counted, ...longEvents.map((event) => `log "${event}"`)].join(', ')
}

function line({ words, phrases, openings, docComments, longEvents }: Sums): string {
  return [
    String(words).padEnd(17),
    String(phrases).padEnd(15),
    `${openings} of ${docComments}`.padEnd(20),
    String(longEvents).padEnd(8),
  ].join('')
}
