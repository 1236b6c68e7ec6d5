import type { SetAside } from '../core/consumers.ts'
import type { Position } from '../core/notification-log.ts'
import type { NewInstance } from '../core/store.ts'
import type { Progress } from './progress.ts'
import type { ReplayChange } from './save-replay.ts'

/** What a webhook has come to, and the attempts that led there. */
export interface Reached {
  readonly position: Position
  readonly progress: Progress
  readonly deliveries: readonly NewInstance[]
  /** What was set aside on the way. */
  readonly setAside?: readonly SetAside[]
  /** What was delivered by a replay: if it was set aside before, it is not any more. */
  readonly delivered?: readonly Position[]
  /** What a replay has come to, where that is news. */
  readonly replay?: ReplayChange
}
