import type { Log } from '../../core/ports/log.ts'
import { metrics, type Metrics } from '../../core/ports/metrics.ts'
import type { Submission } from '../../core/ports/submissions.ts'

/** Events of submissions that an operator sees. */
export interface SubmissionEvents {
  /** These were ended after an hour, because the store never showed their messages. */
  lost(submissions: readonly Submission[]): void
}

/** The most submissions that one log line names. */
const namedMax = 20

/** Logs and counts them. */
export function submissionEvents(log: Log, registry: Metrics = metrics()): SubmissionEvents {
  const lost = registry.counter(
    'nuncio_submissions_lost_total',
    'Submissions that failed because the store did not show their messages for an hour.',
    [{}],
  )
  return {
    lost: (submissions) => {
      if (submissions.length === 0) return
      lost.add({}, submissions.length)
      const named = submissions.slice(0, namedMax)
      log('error', 'submissions failed without messages', {
        count: submissions.length,
        messages: named.map(({ account, messageId }) => ({ account, messageId })),
      })
    },
  }
}
