import type { Submissions } from '../../core/submissions.ts'
import { compareText } from './compare.ts'
import { type Draft, keyOf } from './state.ts'

/** The queue of submissions. */
export function memorySubmissions(draft: Draft): Submissions {
  return {
    claim: async (now, until, limit) => {
      const due = [...draft.see('submissions').values()]
        .filter(({ dueAt }) => dueAt <= now)
        .toSorted(
          (a, b) =>
            a.dueAt - b.dueAt ||
            compareText(a.account, b.account) ||
            compareText(a.messageId, b.messageId),
        )
        .slice(0, limit)
      for (const row of due) {
        draft.change('submissions').set(keyOf(row.account, row.messageId), {
          ...row,
          dueAt: until,
          attempt: row.attempt + 1,
          uncertain: true,
        })
      }
      return due.map(({ account, messageId, attempt, uncertain }) => ({
        account,
        messageId,
        attempt,
        uncertain,
      }))
    },
    finish: async (account, messageId) => {
      draft.change('submissions').delete(keyOf(account, messageId))
    },
    postpone: async ({ account, messageId, attempt }, dueAt) => {
      const key = keyOf(account, messageId)
      const row = draft.see('submissions').get(key)
      if (row?.attempt === attempt + 1) {
        draft.change('submissions').set(key, { ...row, dueAt, uncertain: false })
      }
    },
    nextDueAt: async () => {
      const times = [...draft.see('submissions').values()].map(({ dueAt }) => dueAt)
      return times.length === 0 ? null : Math.min(...times)
    },
  }
}
