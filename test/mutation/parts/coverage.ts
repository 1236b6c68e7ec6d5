import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runTest } from './run-test.ts'

/** Offsets in a file between which a test ran code. */
type Span = readonly [start: number, end: number]

/** What a test file runs, as it was measured. */
export interface Covered {
  readonly test: string
  /** The digest of the test file then: it is measured again when it changes. */
  readonly digest: string
  readonly durationMs: number
  readonly hasPassed: boolean
  /** By file: the digest of the file then, and what ran of it. */
  readonly files: Readonly<
    Record<string, { readonly digest: string; readonly spans: readonly Span[] }>
  >
}

/** Where the measurements are kept between runs. */
const cache = 'node_modules/.cache/nuncio-mutation.json'

const timeoutMs = 300_000

/**
 * Measures what each test file runs, unless it was measured before and is still the same, or what it ran
 * then will do.
 */
export async function measureCoverage(
  tests: readonly string[],
  folder: string,
  jobs: number,
  mayBeOld: boolean,
): Promise<readonly Covered[]> {
  const known = new Map(readCache().map((covered) => [covered.test, covered]))
  const missing = tests.filter((test) =>
    mayBeOld ? !known.has(test) : isStale(known.get(test), test),
  )
  let done = 0
  const work = async (): Promise<void> => {
    for (let test = missing.shift(); test !== undefined; test = missing.shift()) {
      const covered = await measure(test, folder)
      known.set(test, covered)
      writeCache([...known.values()])
      done += 1
      const verdict = covered.hasPassed ? '' : ' FAILS, and is not used'
      console.log(
        `measured ${done}, ${missing.length} left: ${test} ${covered.durationMs} ms${verdict}`,
      )
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  return tests.flatMap((test) => known.get(test) ?? [])
}

/** Whether a test ran the code at an offset; what changed since it was measured counts as run. */
export function hasRun(covered: Covered, file: string, source: string, offset: number): boolean {
  const found = covered.files[file]
  if (found === undefined) return false
  if (found.digest !== digest(source)) return true
  return found.spans.some(([start, end]) => start <= offset && offset < end)
}

/** Whether a test must be measured again: it changed, or files that it runs were moved. */
function isStale(covered: Covered | undefined, test: string): boolean {
  if (covered?.digest !== digestOf(test)) return true
  return Object.keys(covered.files).some((file) => !existsSync(file))
}

async function measure(test: string, folder: string): Promise<Covered> {
  const coverage = mkdtempSync(join(tmpdir(), 'nuncio-coverage-'))
  const begun = performance.now()
  const verdict = await runTest(test, { folder, timeoutMs, coverage })
  const durationMs = Math.round(performance.now() - begun)
  const files: Record<string, { digest: string; spans: readonly Span[] }> = {}
  for (const name of readdirSync(coverage)) {
    for (const { url, functions } of readReport(join(coverage, name))) {
      if (!url.startsWith('file:')) continue
      const file = relative(folder, fileURLToPath(url))
      if (!file.startsWith('src/')) continue
      const before = files[file]?.spans ?? []
      files[file] = { digest: digestOf(file), spans: [...before, ...ran(functions)] }
    }
  }
  rmSync(coverage, { recursive: true, force: true })
  return { test, digest: digestOf(test), durationMs, hasPassed: verdict === 'PASSED', files }
}

/** What V8 reports of a script. */
interface Script {
  readonly url: string
  readonly functions: readonly { readonly ranges: readonly Range[] }[]
}

interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

/** The spans that ran: the innermost range around an offset says how often. */
function ran(functions: Script['functions']): readonly Span[] {
  const ranges = functions
    .flatMap(({ ranges }) => ranges)
    .toSorted((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)
  const edges = [...new Set(ranges.flatMap((range) => [range.startOffset, range.endOffset]))]
  edges.sort((a, b) => a - b)
  const spans: Span[] = []
  edges.slice(0, -1).forEach((start, index) => {
    const end = edges[index + 1] ?? start
    const around = ranges.findLast((range) => range.startOffset <= start && end <= range.endOffset)
    if (around === undefined || around.count === 0) return
    const last = spans.at(-1)
    if (last !== undefined && last[1] === start) spans[spans.length - 1] = [last[0], end]
    else spans.push([start, end])
  })
  return spans
}

function readReport(file: string): readonly Script[] {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { result: readonly Script[] }).result
  } catch {
    // A process that a test killed left half of it.
    return []
  }
}

function readCache(): readonly Covered[] {
  return existsSync(cache) ? (JSON.parse(readFileSync(cache, 'utf8')) as readonly Covered[]) : []
}

function writeCache(all: readonly Covered[]): void {
  mkdirSync(dirname(cache), { recursive: true })
  writeFileSync(cache, JSON.stringify(all))
}

function digestOf(file: string): string {
  return digest(readFileSync(file, 'utf8'))
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
