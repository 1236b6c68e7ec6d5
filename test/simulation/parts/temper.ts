import type { Random } from '../../../src/core/ports/random.ts'

/** What goes wrong in one schedule, and how often. Probabilities are of each occasion. */
export interface Temper {
  /** How many nodes share the store. */
  readonly nodes: number
  /** Of each step between two actions. */
  readonly kills: number
  readonly pauses: number
  readonly stops: number
  readonly jumps: number
  /** Whether jumps are of days, so that validities, claims and retention run out. */
  readonly longJumps: boolean
  /** Wall clocks of the nodes differ by up to so much. */
  readonly driftMs: number
  /** Of each transaction. */
  readonly storeSlow: number
  readonly storeFails: number
  /** Of each commit that another node made: nobody tells of it. */
  readonly commitUnheard: number
  /** Of each request of a client. */
  readonly requestLost: number
  readonly answerLost: number
  /** Of each message handed to a carrier. */
  readonly carrierBusy: number
  readonly carrierRejects: number
  readonly carrierUncertain: number
  readonly receiptLost: number
  readonly receiptEarly: number
  readonly receiptFails: number
  readonly receiptOften: number
  /** Of each request to a receiver. */
  readonly receiverRefuses: number
  readonly receiverFails: number
  readonly receiverAsksToWait: number
  readonly receiverGone: number
  readonly receiverSilent: number
  readonly receiverSlow: number
  readonly deliveryLost: number
  readonly deliveryTwice: number
  /** Of each record: it is refused for what it is, always. */
  readonly poison: number
  /** Of each action. */
  readonly edits: number
  readonly replays: number
  readonly broadcasts: number
}

/**
 * Draws a temper. Each kind of fault is left out of about half of the schedules: where everything
 * fails all the time, little gets far enough to go wrong.
 */
export function drawTemper({ fraction }: Random): Temper {
  const some = (most: number): number => (fraction() < 0.5 ? 0 : fraction() * most)
  return {
    nodes: fraction() < 0.5 ? 1 : 2,
    kills: some(0.25),
    pauses: some(0.15),
    stops: some(0.1),
    jumps: some(0.1),
    longJumps: fraction() < 0.15,
    driftMs: some(60_000),
    storeSlow: some(0.5),
    storeFails: some(0.1),
    commitUnheard: some(0.3),
    requestLost: some(0.1),
    answerLost: some(0.2),
    carrierBusy: some(0.3),
    carrierRejects: some(0.2),
    carrierUncertain: some(0.2),
    receiptLost: some(0.2),
    receiptEarly: some(0.7),
    receiptFails: some(0.3),
    receiptOften: some(0.5),
    receiverRefuses: some(0.3),
    receiverFails: some(0.4),
    receiverAsksToWait: some(0.2),
    receiverGone: some(0.1),
    receiverSilent: some(0.2),
    receiverSlow: some(0.4),
    deliveryLost: some(0.3),
    deliveryTwice: some(0.2),
    poison: some(0.15),
    edits: some(0.3),
    replays: some(0.15),
    broadcasts: some(0.1),
  }
}
