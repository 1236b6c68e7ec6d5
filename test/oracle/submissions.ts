import type { Instant } from '../../src/core/ports/clock.ts'
import {
  defaultQueueKey,
  type ClaimedSubmission,
  type ClaimEnd,
  type QueueKey,
  type Submission,
  type Submissions,
  type WaitingQueue,
} from '../../src/core/ports/submissions.ts'
import { addSubmission, type Effects } from '../../src/stores/commit.ts'
import { compareText } from './compare.ts'
import { type Draft, keyOf, type SubmissionRow } from './state.ts'

/** The queue of submissions. */
export function memorySubmissions(draft: Draft, effects: Effects): Submissions {
  const rows = (): readonly SubmissionRow[] => [...draft.see('submissions').values()]

  const take = (
    found: readonly SubmissionRow[],
    by: (row: SubmissionRow) => Instant,
    until: Instant,
    limit: number,
    claimedBy: string | null,
  ): readonly Submission[] => {
    const claimed = found.toSorted((a, b) => by(a) - by(b) || compareKeys(a, b)).slice(0, limit)
    for (const row of claimed) {
      const attempt = row.attempt + 1
      const key = keyOf(row.account, row.messageId)
      draft
        .change('submissions')
        .set(key, { ...row, dueAt: until, attempt, uncertain: true, claimedBy })
    }
    return claimed.map(({ account, messageId, attempt, uncertain, place }) => ({
      account,
      messageId,
      attempt,
      uncertain,
      place,
    }))
  }

  const dueIn = ({ lane, priority }: QueueKey, now: Instant) =>
    rows().filter(
      ({ place, dueAt }) => place.lane === lane && place.priority === priority && dueAt <= now,
    )

  return {
    free: async (owner, now) => {
      const held = [...draft.see('submissions')].filter(
        ([, row]) => row.uncertain && row.claimedBy === owner,
      )
      for (const [key, row] of held) {
        draft.change('submissions').set(key, { ...row, dueAt: now, claimedBy: null })
      }
      if (held.length > 0) addSubmission(effects, now)
    },
    waiting: async () => placesOf(rows()),
    countDue: async (place, now, limit) => Math.min(dueIn(place, now).length, limit),
    claim: async (now, until, limit, place = defaultQueueKey, owner = null) => {
      if (place !== 'LATE') {
        return take(dueIn(place, now), ({ dueAt }) => dueAt, until, limit, owner)
      }
      const late = rows().filter(
        ({ lateAt, uncertain, dueAt }) =>
          lateAt !== null && lateAt <= now && (!uncertain || dueAt <= now),
      )
      return take(late, ({ lateAt }) => lateAt ?? Infinity, until, limit, owner)
    },
    settle: async (claimed, end) => settle(draft, claimed, end),
  }
}

function settle(
  draft: Draft,
  { account, messageId, attempt }: ClaimedSubmission,
  end: ClaimEnd,
): boolean {
  const key = keyOf(account, messageId)
  const row = draft.see('submissions').get(key)
  if (row?.attempt !== attempt + 1) return false
  if (end.kind === 'FINISHED') return draft.change('submissions').delete(key)
  const { dueAt } = end
  const changed =
    end.kind === 'EXTENDED'
      ? { ...row, dueAt }
      : { ...row, dueAt, uncertain: false, place: end.queue ?? row.place }
  draft.change('submissions').set(key, changed)
  return true
}

function compareKeys(a: SubmissionRow, b: SubmissionRow): number {
  return compareText(a.account, b.account) || compareText(a.messageId, b.messageId)
}

function placesOf(rows: readonly SubmissionRow[]): readonly WaitingQueue[] {
  const first = new Map<string, SubmissionRow>()
  for (const row of rows) {
    const key = keyOf(row.place.lane, String(row.place.priority))
    if (row.dueAt < (first.get(key)?.dueAt ?? Infinity)) first.set(key, row)
  }
  return [...first.values()]
    .map(({ place, dueAt }) => ({ ...place, dueAt }))
    .toSorted((a, b) => compareText(a.lane, b.lane) || a.priority - b.priority)
}
