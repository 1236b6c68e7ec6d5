import type { LogEntry } from '../../core/ports/notification-log.ts'
import type { OpenBatch } from '../progress/progress.ts'

/** Next action of a webhook worker. Times are on the monotonic clock. */
export type NextAction =
  /** It has more to do, and lets others go first. */
  | { readonly kind: 'AGAIN' }
  /** Until something is appended to the log, or until then, if any. */
  | { readonly kind: 'IDLE'; readonly until: number | null }
  /** Until then, or until enough is appended. */
  | { readonly kind: 'FILLING'; readonly until: number }
  /** Waits until then, even if records are appended. */
  | { readonly kind: 'LATER'; readonly until: number }
  /** Until its owner changes it. */
  | { readonly kind: 'DORMANT' }
  /** This node no longer has the lease. */
  | { readonly kind: 'OVER' }

/** A batch whose boundaries are committed, so that it may be sent. */
export interface ReadyAction {
  readonly batch: OpenBatch
  readonly entries: readonly LogEntry[]
}

/** Planned batches, with the entries of each. */
export interface Planned {
  readonly kind: 'PLANNED'
  readonly entries: readonly (readonly LogEntry[])[]
}
