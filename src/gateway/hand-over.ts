import type { SubmitOutcome } from '../core/carrier.ts'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Random } from '../core/random.ts'
import type { Carriers, Loan } from './carriers.ts'
import type { HandOver } from './due.ts'
import type { HandedOver, KnownOutcome } from './outcome.ts'
import { outgoing } from './outgoing.ts'

/** What handing messages over needs. */
export interface HandingOverOptions {
  readonly carriers: Carriers
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** Hands a message to its carrier; null where it is not known what became of it. Never throws. */
export type HandingOver = (handOver: HandOver, signal: AbortSignal) => Promise<HandedOver | null>

/** How long a message waits whose carrier is not there. */
const absentMs = 10_000

/** Messages that wait come back spread over this much more than their delay. */
const jitter = 0.25

/** Makes what hands messages to their carriers. */
export function handingOver({ carriers, clock, random, log }: HandingOverOptions): HandingOver {
  return async (handOver, signal) => {
    const carrier = handOver.kept.message.carrier ?? ''
    const outcome = await submit(carriers.borrow(carrier), handOver, signal)
    if (outcome.kind === 'BUSY' || outcome.kind === 'UNCERTAIN') {
      const { kind, reason } = outcome
      const { id } = handOver.kept.message
      const level = kind === 'BUSY' ? 'debug' : 'warn'
      log(level, 'not handed over', { messageId: id, carrier, kind, reason })
    }
    const known = knownOutcome(outcome)
    return known && { handOver, carrier, outcome: known }
  }

  function knownOutcome(outcome: SubmitOutcome): KnownOutcome | null {
    if (outcome.kind === 'UNCERTAIN') return null
    if (outcome.kind !== 'BUSY') return outcome
    const delayMs = outcome.retryAfterMs * (1 + jitter * random.fraction())
    return { kind: 'POSTPONED', dueAt: clock.now() + Math.ceil(delayMs) }
  }
}

/** What a carrier throws against its promise leaves open whether it took the message. */
async function submit(
  loan: Loan | null,
  { account, kept }: HandOver,
  signal: AbortSignal,
): Promise<SubmitOutcome> {
  if (loan === null) {
    return { kind: 'BUSY', retryAfterMs: absentMs, reason: 'there is no such carrier' }
  }
  try {
    return await loan.carrier.submit(outgoing(account, kept.message), signal)
  } catch (error) {
    return { kind: 'UNCERTAIN', reason: String(error) }
  } finally {
    loan.giveBack()
  }
}
