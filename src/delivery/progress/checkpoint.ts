import type { DeadLetter } from '../../core/ports/consumers.ts'
import type { LogPosition } from '../../core/ports/notification-log.ts'
import type { NewInstance } from '../../core/ports/store.ts'
import type { WebhookProgress } from './progress.ts'
import type { ReplayChange } from './save-replay.ts'

/** Position and progress of a webhook, with the attempts since the last checkpoint. */
export interface Checkpoint {
  readonly position: LogPosition
  readonly progress: WebhookProgress
  readonly deliveries: readonly NewInstance[]
  /** New dead letters. */
  readonly setAside?: readonly DeadLetter[]
  /** Positions that a replay delivered: they are dead letters no longer. */
  readonly delivered?: readonly LogPosition[]
  /** State of a replay, if it changed. */
  readonly replay?: ReplayChange
}
