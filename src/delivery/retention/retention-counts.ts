import type { Labels, Metrics } from '../../core/ports/metrics.ts'
import type { MessageRetentionParts, RetentionAction } from './retain-messages.ts'

/** Counts the messages that the retention removed, and those whose bodies it erased. */
export function retentionCounts(metrics: Metrics): MessageRetentionParts['onRetained'] {
  const labels: Readonly<Record<RetentionAction, Labels>> = {
    REMOVE: { action: 'REMOVE' },
    ERASE: { action: 'ERASE' },
  }
  const retained = metrics.counter(
    'nuncio_retained_messages_total',
    'Messages that the retention removed, or whose bodies it erased, by action.',
    Object.values(labels),
  )
  return (action, count) => retained.add(labels[action], count)
}
