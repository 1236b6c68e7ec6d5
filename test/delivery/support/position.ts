import type { LogPosition } from '../../../src/core/ports/notification-log.ts'

/** A position as a store would make it, for tests without one. */
export function position(text: string): LogPosition {
  return text as LogPosition
}
