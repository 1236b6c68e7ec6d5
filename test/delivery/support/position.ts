import type { Position } from '../../../src/core/notification-log.ts'

/** A position as a store would make it, for tests without one. */
export function position(text: string): Position {
  return text as Position
}
