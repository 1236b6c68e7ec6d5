import type { Covered } from './coverage.ts'
import { hasRun } from './coverage.ts'
import { type Mutation, mutated } from './mutation.ts'
import { runTest } from './run-test.ts'
import type { Workspace } from './workspace.ts'

/** What the tests said to a mutation. */
export interface Judgement {
  readonly mutation: Mutation
  /** The test file that noticed it, or null. */
  readonly noticedBy: string | null
  /** How many test files run what is changed, and how many of them were run. */
  readonly covering: number
  readonly run: number
}

/** A test may take so many times as long as it was measured, and this much besides. */
const patience = 6
const patienceMs = 30_000

/** Tests of other parts count as so many times as dear. */
const othersFactor = 10

/** Tests a mutation with the test files that run what it changes, the quickest and most particular first. */
export async function judge(
  mutation: Mutation,
  source: string,
  measured: readonly Covered[],
  workspace: Workspace,
  budgetMs: number,
): Promise<Judgement> {
  const covering = measured
    .filter(
      (covered) => covered.hasPassed && hasRun(covered, mutation.file, source, mutation.start),
    )
    .toSorted((a, b) => costOf(a, mutation) - costOf(b, mutation))
  let run = 0
  let spentMs = 0
  workspace.write(mutation.file, mutated(source, mutation))
  try {
    for (const { test, durationMs } of covering) {
      if (run > 0 && spentMs + durationMs > budgetMs) continue
      run += 1
      spentMs += durationMs
      const timeoutMs = durationMs * patience + patienceMs
      const verdict = await runTest(test, { folder: workspace.folder, timeoutMs })
      if (verdict !== 'PASSED') return { mutation, noticedBy: test, covering: covering.length, run }
    }
    return { mutation, noticedBy: null, covering: covering.length, run }
  } finally {
    workspace.write(mutation.file, source)
  }
}

/**
 * The quickest of the most particular tests come first: one that loads little of the source is about what
 * it loads, and one that loads all of it is about something else most often. Those of the same part, such
 * as the conformance of a store, come before others that take as long.
 */
function costOf({ test, durationMs, files }: Covered, mutation: Mutation): number {
  if (mutation.test !== undefined && test.includes(mutation.test)) return 0
  const [, part = ''] = mutation.file.split('/')
  const distance = test.startsWith(`test/${part}/`) ? 1 : othersFactor
  return Object.keys(files).length ** 2 * Math.sqrt(durationMs) * distance
}
