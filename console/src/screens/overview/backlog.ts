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

/** Writes a backlog: `12 messages wait, the oldest for 3 min`; with a place, `12 messages wait at North, …`. */
export function backlogText(backlog: Backlog, nowMs: number, place: string | null = null): string {
  const count = backlog.waitingMessages ?? 0
  const counted = countText(count, 'message waits', 'messages wait')
  const messages = count < countedMax ? counted : `At least ${counted}`
  const where = place === null ? '' : ` at ${place}`
  return `${messages}${where}, the oldest for ${durationText(waitMs(backlog, nowMs))}`
}

/** A carrier with its backlog. */
interface Waited extends Backlog {
  readonly id: string
  readonly name: string | null
}

/** The backlog of all carriers in one sentence. */
export interface WaitingNow {
  readonly text: string
  /** The carrier, if only one has a backlog. */
  readonly carrier: string | null
}

/** Sums up the backlogs of carriers; null if no message waits. */
export function waitingNow(carriers: readonly Waited[], nowMs: number): WaitingNow | null {
  const waiting = carriers.filter(({ waitingMessages }) => (waitingMessages ?? 0) > 0)
  const [first] = waiting.toSorted((one, other) => waitMs(other, nowMs) - waitMs(one, nowMs))
  if (first === undefined) return null
  const waitingMessages = waiting.reduce((sum, one) => sum + (one.waitingMessages ?? 0), 0)
  const all = { waitingMessages, waitingSince: first.waitingSince }
  return waiting.length === 1
    ? { text: backlogText(all, nowMs, first.name ?? first.id), carrier: first.id }
    : { text: backlogText(all, nowMs, `${waiting.length} carriers`), carrier: null }
}
