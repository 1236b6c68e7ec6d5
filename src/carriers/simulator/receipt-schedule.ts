import type { CarrierEvent, IncomingEvent, OutgoingMessage } from '../../core/ports/carrier.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { Log } from '../../core/ports/log.ts'
import { behaviourOf } from './recipients.ts'

/** Dependencies of the receipt schedule. */
export interface ReceiptScheduleOptions {
  /** Time from the submission to the receipt. */
  readonly delayMs: number
  readonly clock: Clock
  readonly log: Log
  /** Is given the events that fell due; when it throws they are given again. */
  readonly report: (events: readonly CarrierEvent[]) => Promise<void>
}

/** The receipts and replies that are to come. */
export interface ReceiptSchedule extends AsyncDisposable {
  /** Schedules what comes back for a part; a reply comes with the first part of its message. */
  add(carrierMessageId: string, message: OutgoingMessage, isFirst: boolean): void
}

/** Makes a schedule of receipts, with a queue and a timer for each delay that occurs. */
export function receiptSchedule(options: ReceiptScheduleOptions): ReceiptSchedule {
  const { delayMs, clock, log, report } = options
  const queues = new Map<number, DelayQueue<readonly CarrierEvent[]>>()

  const queueFor = (waitMs: number): DelayQueue<readonly CarrierEvent[]> => {
    const queue = queues.get(waitMs) ?? openQueue(waitMs)
    queues.set(waitMs, queue)
    return queue
  }

  const openQueue = (waitMs: number): DelayQueue<readonly CarrierEvent[]> =>
    delayQueue({
      clock,
      delayMs: waitMs,
      deliver: (events) => report(events.flat()),
      onError: (error) => log('error', 'simulated receipts not reported', { error }),
    })

  return {
    add(carrierMessageId, message, isFirst) {
      const { receipts, replies = false } = behaviourOf(message.to)
      // Of one report with the first receipt, so that a restart repeats both or neither.
      let replyTo = replies && isFirst ? [reply(message)] : []
      for (const { outcome, delayMs: ownMs = delayMs, lateMs = 0 } of receipts) {
        const receipt = { kind: 'RECEIPT', carrierMessageId, outcome } as const
        queueFor(ownMs + lateMs).add([receipt, ...replyTo])
        replyTo = []
      }
    },

    async [Symbol.asyncDispose]() {
      for (const queue of queues.values()) await queue[Symbol.asyncDispose]()
    },
  }
}

/** The recipient's reply: the same text, back to the sender. */
function reply(message: OutgoingMessage): IncomingEvent {
  const { account, id, from, to, body, encoding, protocolId, messageClass, numberOfParts } = message
  return {
    kind: 'INCOMING',
    from: to,
    to: from,
    body,
    encoding,
    protocolId,
    messageClass,
    numberOfParts,
    repliesTo: { account, messageId: id },
  }
}

/** Dependencies of a delay queue. */
export interface DelayQueueOptions<T> {
  readonly clock: Clock
  /** Time from adding an item until it is due, in milliseconds. */
  readonly delayMs: number
  /** Is given what fell due, in order, in batches; one that it throws at is given again. */
  readonly deliver: (items: readonly T[]) => Promise<void>
  readonly onError: (error: unknown) => void
}

/** Items that all wait equally long: first in, first out, with one timer for all of them. */
export interface DelayQueue<T> extends AsyncDisposable {
  add(item: T): void
}

/** Maximum items of a batch: few enough that storing them delays no others. */
const batchMax = 200

/** Retry delay of a batch that could not be delivered, in milliseconds. */
const retryMs = 1000

/** Creates a delay queue. Disposing stops deliveries and waits for the running one. */
export function delayQueue<T>({
  clock,
  delayMs,
  deliver,
  onError,
}: DelayQueueOptions<T>): DelayQueue<T> {
  const entries: { readonly dueAt: number; readonly item: T }[] = []
  const delivering = new Set<Promise<void>>()
  let cancel: (() => void) | null = null
  let ended = false

  const arm = (): void => {
    const [first] = entries
    if (first === undefined || cancel !== null || ended) return
    cancel = clock.after(Math.max(first.dueAt - clock.monotonic(), 0), () => {
      cancel = null
      // The next batch does not wait for this one: each is written with what it is the receipts of.
      const run = bring(takeDue()).finally(() => delivering.delete(run))
      delivering.add(run)
      arm()
    })
  }

  const takeDue = (): readonly T[] => {
    const now = clock.monotonic()
    const later = entries.findIndex(({ dueAt }, index) => dueAt > now || index === batchMax)
    return entries.splice(0, later === -1 ? entries.length : later).map(({ item }) => item)
  }

  /** A failed batch is retried before all later ones. */
  const bring = async (batch: readonly T[]): Promise<void> => {
    try {
      if (batch.length > 0) await deliver(batch)
    } catch (error) {
      onError(error)
      const dueAt = clock.monotonic() + retryMs
      entries.unshift(...batch.map((item) => ({ dueAt, item })))
      arm()
    }
  }

  return {
    add(item) {
      entries.push({ dueAt: clock.monotonic() + delayMs, item })
      arm()
    },

    async [Symbol.asyncDispose]() {
      ended = true
      cancel?.()
      await Promise.all(delivering)
    },
  }
}
