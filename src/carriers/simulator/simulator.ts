import type { Carrier, CarrierType, PendingPart, ReportEvents } from '../../core/ports/carrier.ts'
import type { Clock } from '../../core/ports/clock.ts'
import { integer } from '../../core/declaration/field.ts'
import type { NewId } from '../../core/id.ts'
import type { Log } from '../../core/ports/log.ts'
import { receiptSchedule } from './receipt-schedule.ts'
import { behaviourOf } from './recipients.ts'

/** Carrier type without a network. `delayMs` applies to carriers that set none. */
export function simulatorType(delayMs: number): CarrierType {
  return {
    type: 'SIMULATOR',
    settings: {
      delayMs: integer({
        minimum: 0,
        maximum: 3_600_000,
        nullable: true,
        description:
          'Time from the submit to the delivery receipt; null: the setting of the service.',
      }),
    },
    open: (id, { delayMs: own }, ground) =>
      simulator({ ...ground, id, delayMs: typeof own === 'number' ? own : delayMs }),
  }
}

/** Dependencies of the simulator. */
export interface SimulatorOptions {
  /** The identifier of its instance. */
  readonly id: string
  /** Time from the submission to the receipt. */
  readonly delayMs: number
  readonly clock: Clock
  readonly newId: NewId
  readonly log: Log
}

/**
 * Makes a carrier that leads nowhere: it delivers every message after a while, and knows the magic
 * recipients. It keeps nothing itself: after a restart it begins again with what has no receipt.
 */
export function simulator({ id, delayMs, clock, newId, log }: SimulatorOptions): Carrier {
  /** Parts are called `<run>-<message>-<part>`: no two runs give the same identifier. */
  const run = newId('simulated')
  const since = clock.now()
  let messages = 0
  let reportEvents: ReportEvents | null = null

  const schedule = receiptSchedule({
    delayMs,
    clock,
    log,
    report: async (events) => {
      if (reportEvents === null) throw new Error('the simulator was not started')
      await reportEvents(id, events)
    },
  })

  /** A receipt that comes twice changes nothing. */
  const again = async (pending: AsyncIterable<PendingPart>): Promise<void> => {
    for await (const { carrierMessageId, message } of pending) {
      const isFirst = carrierMessageId.endsWith('-1')
      if (message !== null) schedule.add(carrierMessageId, message, isFirst)
    }
  }

  return {
    id,

    async submit(message) {
      const { rejectedWith } = behaviourOf(message.to)
      if (rejectedWith !== undefined) return { kind: 'REJECTED', detail: rejectedWith }
      messages += 1
      const carrierMessageIds: string[] = []
      for (let part = 1; part <= message.numberOfParts; part += 1) {
        const carrierMessageId = `${run}-${messages.toString(36)}-${part}`
        schedule.add(carrierMessageId, message, part === 1)
        carrierMessageIds.push(carrierMessageId)
      }
      return { kind: 'SUBMITTED', carrierMessageIds }
    },

    async start(report, pending) {
      reportEvents = report
      await again(pending())
    },

    resume: (pending) => again(pending()),

    condition: () => ({
      state: 'BOUND',
      stateReason: null,
      since,
      inFlight: 0,
      partsPerSecond: 0,
      lastError: null,
    }),

    [Symbol.asyncDispose]: () => schedule[Symbol.asyncDispose](),
  }
}
