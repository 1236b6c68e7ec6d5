import type { Message } from '../../collections/messages.ts'
import {
  correlationFields,
  correlationText,
  readCorrelation,
  noTracing,
  type Tracing,
} from '../../core/correlation.ts'
import type { CarrierCounts, OutgoingMessage, SubmitOutcome } from '../../core/ports/carrier.ts'
import type { Clock, Instant } from '../../core/ports/clock.ts'
import type { Log } from '../../core/ports/log.ts'
import type { Random } from '../../core/ports/random.ts'
import type { CarrierHandle, Carriers } from '../carriers/carriers.ts'
import { resubmissions, correlationOf, outgoingMessage } from '../messages/stored-message.ts'
import { carrierFlights, type CarrierFlights, type InFlightTask } from './carrier-flights.ts'
import { outcomeQueue, type OutcomeQueueOptions } from './outcome-queue.ts'
import type { KnownOutcome, SubmitResult } from './outcome.ts'
import type { PendingSubmit } from './prepare-submits.ts'

/** The dependencies of the submitter. */
export interface SubmitterOptions extends Omit<OutcomeQueueOptions, 'signal'> {
  readonly carriers: Carriers
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly counts?: CarrierCounts
  readonly tracing?: Tracing | undefined
  /** The clock of due times. */
  readonly dueClock: Clock
  /** Called when a message is no longer in flight. */
  readonly onRoom: () => void
  /** Called with the time at which a message that was not taken is due again. */
  readonly onPostponed: (dueAt: Instant) => void
}

/** Messages in flight, from their claims until their outcomes are stored. */
export interface Submitter {
  readonly flights: CarrierFlights
  /** Submits messages for which there is room. */
  submit(ready: readonly PendingSubmit[]): void
  /** Stores that messages were not submitted and are due again. Never throws. */
  postpone(ready: readonly PendingSubmit[], dueAt: Instant): Promise<void>
  /** Resolves when no message is in flight. */
  stop(): Promise<void>
}

/** The duration of a claim. */
export const leaseMs = 60_000

/**
 * The deadline of a message at its carrier: shorter than the claim, or another node could claim it
 * too.
 */
export const deadlineMs = 45_000

/** The time that carriers have left when it stops. */
const graceMs = 20_000

/** The delay of a message whose carrier is not open. */
const absentMs = 10_000

/** Delays vary by this fraction, so that postponed messages do not return all together. */
const jitter = 0.25

/**
 * The delays of a message that was submitted again, once and twice, without a response. Each copy
 * may arrive, so the third one is the last.
 */
const unansweredMs = [5 * 60_000, 25 * 60_000] as const

/** Creates the submitter: it submits claimed messages to their carriers and stores the outcomes. */
export function submitter(options: SubmitterOptions): Submitter {
  const { store, clock, onPostponed } = options
  const giveUp = new AbortController()
  const outcomes = outcomeQueue({ ...options, signal: giveUp.signal })
  const flights = carrierFlights({ ...options, deadlineMs })
  const recalled = recalls(clock, leaseMs)
  const stopRecalls = store.onCommit((commit) => recalled.add(commit.recalled))

  const task: InFlightTask<PendingSubmit> = async (pending, signal) => {
    const isRecalled = (): boolean => recalled.has(pending.kept.message.submission.id)
    const submitted = await submit(pending, isRecalled, options, signal)
    if (submitted === null) return
    await outcomes.add(submitted)
    if (submitted.outcome.kind === 'POSTPONED') onPostponed(submitted.outcome.dueAt)
  }

  return {
    flights,
    submit: (all) => {
      for (const [carrier, ready] of Map.groupBy(all, carrierOf)) {
        flights.of(carrier).flight.begin(ready, task)
      }
    },
    postpone: async (all, dueAt) => {
      const outcome = { kind: 'POSTPONED', dueAt } as const
      await Promise.all(
        all.map((each) => outcomes.add({ pending: each, carrier: carrierOf(each), outcome })),
      )
    },
    stop: async () => {
      const cancel = clock.after(graceMs, () => giveUp.abort())
      await flights.end(graceMs)
      cancel()
      // Until here a message could wait at its carrier, and be recalled.
      stopRecalls()
    },
  }
}

function carrierOf({ kept }: PendingSubmit): string {
  return kept.message.carrier ?? ''
}

/** Submits a message. Returns its outcome; null if that stays unknown until the claim expires. Never throws. */
async function submit(
  pending: PendingSubmit,
  isRecalled: () => boolean,
  options: SubmitterOptions,
  signal: AbortSignal,
): Promise<SubmitResult | null> {
  const { carriers, log, counts, tracing = noTracing } = options
  const { message } = pending.kept
  const carrier = carrierOf(pending)
  const correlation = readCorrelation(correlationOf(pending.kept.hidden))
  const span = tracing.begin({
    name: 'submit message',
    kind: 'CLIENT',
    parent: correlation?.traceparent ?? null,
    attributes: () => ({ 'messaging.message.id': message.id, 'nuncio.carrier': carrier }),
  })
  const own = correlation && { ...correlation, traceparent: span.traceparent }
  const given = { isRecalled, correlation: own && correlationText(own) }
  const outcome = await submitTo(carriers.acquire(carrier), pending, given, signal)
  const fault = 'reason' in outcome ? outcome.reason : null
  span.end(() => ({ 'nuncio.outcome': outcome.kind }), fault)
  if (outcome.kind === 'BUSY' || outcome.kind === 'UNCERTAIN') {
    const { kind, reason } = outcome
    counts?.retried?.(carrier, kind)
    const level = kind === 'BUSY' ? 'debug' : 'warn'
    log(level, 'message not submitted', {
      messageId: message.id,
      carrier,
      kind,
      reason,
      ...correlationFields(correlationOf(pending.kept.hidden)),
    })
  }
  const known = knownOutcome(outcome, message, options)
  return known && { pending, carrier, outcome: known }
}

/** Calls the carrier. An exception leaves open whether it took the message. */
async function submitTo(
  handle: CarrierHandle | null,
  { account, kept }: PendingSubmit,
  given: Required<Pick<OutgoingMessage, 'isRecalled' | 'correlation'>>,
  signal: AbortSignal,
): Promise<SubmitOutcome> {
  if (handle === null) {
    return { kind: 'BUSY', retryAfterMs: absentMs, reason: 'the carrier is not open' }
  }
  try {
    if (given.isRecalled())
      return { kind: 'BUSY', retryAfterMs: 0, reason: 'the message was deleted' }
    return await handle.carrier.submit({ ...outgoingMessage(account, kept), ...given }, signal)
  } catch (error) {
    return { kind: 'UNCERTAIN', reason: String(error) }
  } finally {
    handle.release()
  }
}

/** Returns the outcome to store; null if nothing is stored and the message is sent again when its claim expires. */
function knownOutcome(
  outcome: SubmitOutcome,
  message: Message,
  { dueClock, random }: SubmitterOptions,
): KnownOutcome | null {
  const after = (delayMs: number): Instant =>
    dueClock.now() + Math.ceil(delayMs * (1 + jitter * random.fraction()))
  if (outcome.kind === 'BUSY') return { kind: 'POSTPONED', dueAt: after(outcome.retryAfterMs) }
  if (outcome.kind !== 'UNCERTAIN') return outcome
  const again = resubmissions(message)
  if (again === 0) return null
  const waitMs = unansweredMs[again - 1]
  return { kind: 'UNANSWERED', dueAt: waitMs === undefined ? null : after(waitMs) }
}

/**
 * The recalled messages: they were deleted while they waited at their carriers. Keys are submission
 * identifiers.
 */
export interface Recalls {
  add(submissionIds: readonly string[]): void
  has(submissionId: string): boolean
}

/** The most recalls remembered; beyond that the oldest are dropped. */
const recallsMax = 100_000

/** Creates the recalls. Each is remembered for `keptMs`, as long as a carrier may have its message. */
export function recalls(clock: Clock, keptMs: number): Recalls {
  /** Times of the recalls, oldest first. */
  const known = new Map<string, number>()

  const forget = (): void => {
    const old = clock.monotonic() - keptMs
    for (const [id, at] of known) {
      if (at >= old && known.size <= recallsMax) return
      known.delete(id)
    }
  }
  return {
    add: (submissionIds) => {
      if (submissionIds.length === 0) return
      for (const id of submissionIds) known.set(id, clock.monotonic())
      forget()
    },
    // Usually there are none, which this check makes fast.
    has: (submissionId) => known.size > 0 && known.has(submissionId),
  }
}
