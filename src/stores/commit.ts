import type { AccountId } from '../core/account.ts'
import type { Instant } from '../core/ports/clock.ts'
import type { Commit } from '../core/ports/store.ts'

/** Effects of a transaction that its commit announces. */
export interface Effects {
  readonly notified: Set<AccountId>
  readonly changed: Set<string>
  submissionDueAt: Instant | null
  readonly recalled: string[]
}

/** Returns effects without content. */
export function noEffects(): Effects {
  return {
    notified: new Set(),
    changed: new Set(),
    submissionDueAt: null,
    recalled: [],
  }
}

/** Adds the effects of one transaction to those of others with the same commit. */
export function addEffects(all: Effects, more: Effects): void {
  for (const account of more.notified) all.notified.add(account)
  for (const name of more.changed) all.changed.add(name)
  if (more.submissionDueAt !== null) addSubmission(all, more.submissionDueAt)
  for (const id of more.recalled) all.recalled.push(id)
}

/** Returns true if a commit has no effects. */
export function isNothing({ notified, changed, submissionDueAt, recalled }: Commit): boolean {
  const isQuiet = notified.size === 0 && changed.size === 0
  return isQuiet && submissionDueAt === null && recalled.length === 0
}

/** Records a new submission. */
export function addSubmission(effects: Effects, dueAt: Instant): void {
  effects.submissionDueAt = Math.min(dueAt, effects.submissionDueAt ?? dueAt)
}

/** Listeners of commits. */
export interface Listeners {
  add(listener: (commit: Commit) => void): () => void
  /** Calls each listener, unless the commit has no effects. Errors of listeners go to `failed`. */
  tell(commit: Commit): void
}

/** Creates a list of listeners, which are called in the order of their addition. */
export function listeners(failed: (error: unknown) => void): Listeners {
  const all = new Set<{ readonly call: (commit: Commit) => void }>()
  return {
    add: (listener) => {
      const entry = { call: listener }
      all.add(entry)
      return () => void all.delete(entry)
    },
    tell: (commit) => {
      if (isNothing(commit)) return
      const { notified, changed, submissionDueAt, recalled } = commit
      const told = { notified, changed, submissionDueAt, recalled }
      for (const { call } of all) {
        try {
          call(told)
        } catch (error) {
          failed(error)
        }
      }
    },
  }
}
