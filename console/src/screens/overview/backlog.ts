import { countText, durationText } from '../../ui/numbers.ts'

/** The messages that wait for a carrier, as the service counts them. */
export interface Backlog {
  readonly waitingMessages: number | null
  readonly waitingSince: string | null
}

/** The service counts no further. */
const countedMax = 10_000
/** A wait that deserves a look, as in the alerts of the documentation. */
const oldMs = 300_000

/** Returns how long the oldest message waits, in whole seconds; 0 if none does. */
export function waitMs({ waitingSince }: Backlog, nowMs: number): number {
  const waitedMs = waitingSince === null ? 0 : Math.max(0, nowMs - Date.parse(waitingSince))
  return Math.floor(waitedMs / 1000) * 1000
}

/** Returns true if messages wait longer than they should. */
export function isOld(backlog: Backlog, nowMs: number): boolean {
  return waitMs(backlog, nowMs) > oldMs
}

/** Writes a backlog: `12 messages wait, the oldest for 3 min`. */
export function backlogText(backlog: Backlog, nowMs: number): string {
  const count = backlog.waitingMessages ?? 0
  const counted = countText(count, 'message waits', 'messages wait')
  const messages = count < countedMax ? counted : `At least ${counted}`
  return `${messages}, the oldest for ${durationText(waitMs(backlog, nowMs))}`
}
