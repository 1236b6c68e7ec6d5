import type { SubmitOutcome } from '../../core/ports/carrier.ts'
import type { Clock, Instant } from '../../core/ports/clock.ts'
import type { Log } from '../../core/ports/log.ts'
import type { Random } from '../../core/ports/random.ts'
import type { Message } from '../../collections/messages.ts'
import type { Carriers, CarrierHandle } from '../carriers/carriers.ts'
import type { PendingSubmit } from './due.ts'
import type { HandedOver, KnownOutcome } from './outcome.ts'
import { outgoing } from './outgoing.ts'
import type { Recalls } from './recalls.ts'
import { resubmissions } from '../messages/status.ts'

/** What handing messages over needs. */
export interface HandingOverOptions {
  readonly carriers: Carriers
  readonly recalls: Pick<Recalls, 'has'>
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** Hands a message to its carrier; null where it is not known what became of it. Never throws. */
export type HandingOver = (
  handOver: PendingSubmit,
  signal: AbortSignal,
) => Promise<HandedOver | null>

/** How long a message waits whose carrier is not there. */
const absentMs = 10_000

/** Messages that wait come back spread over this much more than their delay. */
const jitter = 0.25

/**
 * How long a message waits that was handed over again, once and twice, and was not answered again. It may
 * arrive each time, so after these it goes no more.
 */
const unansweredMs = [5 * 60_000, 25 * 60_000] as const

/** Makes what hands messages to their carriers. */
export function submitter(options: HandingOverOptions): HandingOver {
  const { carriers, recalls: recalled, clock, random, log } = options
  return async (handOver, signal) => {
    const { carrier: chosen, submission } = handOver.kept.message
    const carrier = chosen ?? ''
    const isRecalled = (): boolean => recalled.has(submission.id)
    const outcome = await submit(carriers.borrow(carrier), handOver, isRecalled, signal)
    if (outcome.kind === 'BUSY' || outcome.kind === 'UNCERTAIN') {
      const { kind, reason } = outcome
      const { id } = handOver.kept.message
      const level = kind === 'BUSY' ? 'debug' : 'warn'
      log(level, 'not handed over', { messageId: id, carrier, kind, reason })
    }
    const known = knownOutcome(outcome, handOver.kept.message)
    return known && { handOver, carrier, outcome: known }
  }

  function knownOutcome(outcome: SubmitOutcome, message: Message): KnownOutcome | null {
    if (outcome.kind === 'UNCERTAIN') return unanswered(message)
    if (outcome.kind !== 'BUSY') return outcome
    return { kind: 'POSTPONED', dueAt: after(outcome.retryAfterMs) }
  }

  /** The first time nothing is written: the message goes again when its claim runs out. */
  function unanswered(message: Message): KnownOutcome | null {
    const again = resubmissions(message)
    if (again === 0) return null
    const waitMs = unansweredMs[again - 1]
    return { kind: 'UNANSWERED', dueAt: waitMs === undefined ? null : after(waitMs) }
  }

  function after(delayMs: number): Instant {
    return clock.now() + Math.ceil(delayMs * (1 + jitter * random.fraction()))
  }
}

/** What a carrier throws against its promise leaves open whether it took the message. */
async function submit(
  loan: CarrierHandle | null,
  { account, kept }: PendingSubmit,
  isRecalled: () => boolean,
  signal: AbortSignal,
): Promise<SubmitOutcome> {
  if (loan === null) {
    return { kind: 'BUSY', retryAfterMs: absentMs, reason: 'there is no such carrier' }
  }
  try {
    if (isRecalled()) return { kind: 'BUSY', retryAfterMs: 0, reason: 'the message was deleted' }
    return await loan.carrier.submit({ ...outgoing(account, kept.message), isRecalled }, signal)
  } catch (error) {
    return { kind: 'UNCERTAIN', reason: String(error) }
  } finally {
    loan.giveBack()
  }
}
