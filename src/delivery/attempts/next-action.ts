import type { LogEntry } from '../../core/ports/notification-log.ts'
import type { OpenBatch } from '../progress/progress.ts'

/** How a webhook rests between turns. Times are on the monotonic clock. */
export type NextAction =
  /** It has more to do, and lets others go first. */
  | { readonly kind: 'AGAIN' }
  /** Until something is appended to the log, or until then, if any. */
  | { readonly kind: 'IDLE'; readonly until: number | null }
  /** Until then, or until enough is appended. */
  | { readonly kind: 'FILLING'; readonly until: number }
  /** Until then, whatever is appended. */
  | { readonly kind: 'LATER'; readonly until: number }
  /** Until its owner changes it. */
  | { readonly kind: 'DORMANT' }
  /** It is not this node's any more. */
  | { readonly kind: 'OVER' }

/** A batch whose boundaries are committed, so that it may be sent. */
export interface ReadyAction {
  readonly batch: OpenBatch
  readonly entries: readonly LogEntry[]
}

/** Batches to go on with: what is planned holds these entries, batch by batch. */
export interface Planned {
  readonly kind: 'PLANNED'
  readonly entries: readonly (readonly LogEntry[])[]
}
