import type { DeadLetter } from '../../core/ports/consumers.ts'
import type { LogPosition } from '../../core/ports/notification-log.ts'
import type { NewInstance } from '../../core/ports/store.ts'
import type { WebhookProgress } from './progress.ts'
import type { ReplayChange } from './save-replay.ts'

/** What a webhook has come to, and the attempts that led there. */
export interface Checkpoint {
  readonly position: LogPosition
  readonly progress: WebhookProgress
  readonly deliveries: readonly NewInstance[]
  /** What was set aside on the way. */
  readonly setAside?: readonly DeadLetter[]
  /** What was delivered by a replay: if it was set aside before, it is not any more. */
  readonly delivered?: readonly LogPosition[]
  /** What a replay has come to, where that is news. */
  readonly replay?: ReplayChange
}
