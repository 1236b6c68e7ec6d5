import type { JsonObject } from '../core/json.ts'
import type { Position } from '../core/notification-log.ts'
import type { Progress } from './progress.ts'

/** What a webhook has come to, and the attempts that led there. */
export interface Reached {
  readonly position: Position
  readonly progress: Progress
  readonly deliveries: readonly JsonObject[]
}
