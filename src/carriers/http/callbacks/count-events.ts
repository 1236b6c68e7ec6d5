import type { CallbackCounts } from '../../../core/ports/callback.ts'
import type { ReadEvent } from './given-event.ts'

/** Counts the events of a callback by kind. */
export function countsOf(read: readonly ReadEvent[]): CallbackCounts {
  const events = read.flatMap((each) => (each.kind === 'EVENT' ? [each.event] : []))
  const receipts = events.filter(({ kind }) => kind === 'RECEIPT').length
  return {
    receipts,
    messages: events.length - receipts,
    passedOver: read.filter(({ kind }) => kind === 'PASSED_OVER').length,
    notUnderstood: read.filter(({ kind }) => kind === 'NOT_UNDERSTOOD').length,
  }
}
