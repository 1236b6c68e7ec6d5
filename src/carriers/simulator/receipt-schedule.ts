import type { CarrierEvent, IncomingEvent, OutgoingMessage } from '../../core/ports/carrier.ts'
import type { Clock } from '../../core/ports/clock.ts'
import { EventsNotStored } from '../../core/ports/events-not-stored.ts'
import type { Log } from '../../core/ports/log.ts'
import { type DelayQueue, delayQueue } from './delay-queue.ts'
import { behaviourOf } from './recipients.ts'

/** Dependencies of the receipt schedule. */
export interface ReceiptScheduleOptions {
  /** Time from the submission to the receipt. */
  readonly delayMs: number
  readonly clock: Clock
  readonly log: Log
  /** Is given the events that fell due; those that it does not store are given again. */
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
    delayQueue({ clock, delayMs: waitMs, deliver: reportAll })

  /** Returns what was not stored. */
  const reportAll = async (batch: readonly (readonly CarrierEvent[])[]) => {
    try {
      await report(batch.flat())
      return []
    } catch (error) {
      log('error', 'simulated receipts not reported', { error })
      if (!(error instanceof EventsNotStored)) return batch
      const left = batch.map((events) => events.filter((event) => error.events.has(event)))
      return left.filter((events) => events.length > 0)
    }
  }

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
