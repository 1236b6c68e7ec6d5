import { figure, type Spread, spread } from '../figures.ts'
import { type Goal, goals } from '../goals.ts'
import { type Outcome, ratiosOf } from '../outcome.ts'

/** A goal beside what was found. */
export interface Verdict {
  readonly work: string
  readonly title: string
  readonly goal: string
  readonly found: string
  /** The same by CPU for each unit of work: what a busy machine disturbs least. */
  readonly byCpu: string
  readonly isMet: boolean
}

/**
 * The goals whose works were measured, each with its figure and whether it is met. Where fewer
 * messages a second were offered than a goal asks for, nothing is said of it.
 */
export function verdictsOn(outcomes: readonly Outcome[], perSecond: number): readonly Verdict[] {
  return goals.flatMap((goal) => {
    if (goal.kind === 'limit' && goal.offered !== undefined && goal.offered > perSecond) return []
    const outcome = outcomes.find(({ work }) => work === goal.work)
    const verdict = outcome === undefined ? null : verdictOn(goal, outcome)
    return verdict === null ? [] : [verdict]
  })
}

function verdictOn(goal: Goal, outcome: Outcome): Verdict | null {
  const { work, title, unit } = outcome
  if (goal.kind === 'ratio') {
    const ratio = ratiosOf(outcome).find(({ to }) => to.startsWith(goal.to))
    if (ratio === undefined) return null
    const values = spread(ratio.values)
    return {
      work,
      title,
      goal: `${goal.atLeast} × ${ratio.to}`,
      found: inWords(values),
      byCpu: ratio.byCpu === null ? '' : figure(ratio.byCpu),
      isMet: values.median >= goal.atLeast,
    }
  }
  const ours = outcome.rows.find(({ role }) => role === 'ours')
  if (ours === undefined) return null
  const values = spread(ours.values)
  const { atMost = Infinity, atLeast = -Infinity } = goal
  return {
    work,
    title,
    goal:
      atMost === Infinity
        ? `at least ${figure(atLeast)} ${unit}`
        : `at most ${figure(atMost)} ${unit}`,
    found: `${inWords(values)} ${unit}`,
    byCpu: '',
    isMet: values.median <= atMost && values.median >= atLeast,
  }
}

/** A median with its spread. */
export function inWords({ low, median, high }: Spread): string {
  return `${figure(median)} (${figure(low)} to ${figure(high)})`
}
