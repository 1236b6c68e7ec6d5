import type {
  Carrier,
  CarrierEvent,
  CarrierType,
  OutgoingMessage,
  ReportEvents,
  SubmitOutcome,
} from '../../../src/core/ports/carrier.ts'
import type { PartOutcome } from '../../../src/core/ports/receipts.ts'
import { simulatorId } from '../../../src/collections/carriers.ts'
import type { Machine } from './machine.ts'
import { pass, type World } from './world.ts'

/** The network of phones behind the carrier: it refuses, delays, forgets, repeats and mixes up. */
export interface Phones {
  /** Messages that wait for room. */
  readonly waiting: ReadonlySet<string>
  /** How often each message began to leave for it, and how often it took it. */
  readonly handed: ReadonlyMap<string, number>
  readonly taken: ReadonlyMap<string, number>
  /** Of each message, by part: what was told of it for good and acknowledged, or null. */
  readonly told: ReadonlyMap<string, ReadonlyMap<string, PartOutcome | null>>
  /** Texts of incoming messages that a process has acknowledged. */
  readonly incoming: ReadonlySet<string>
  /** The kind of carrier by which a process reaches it, in the place of the simulator's. */
  typeOf(machine: Machine): CarrierType
  /** Somebody writes to us. */
  text(from: string, to: string, body: string): void
}

const delivered: PartOutcome = { type: 'DELIVERED', detail: null }
const undeliverable: PartOutcome = { type: 'FAILED', detail: 'UNDELIVERABLE' }
const unknown: PartOutcome = { type: 'UNKNOWN', detail: null }

/** Makes a network that keeps what is told until some process acknowledges it. */
export function phones(world: World): Phones {
  const { dice, temper } = world
  const waiting = new Set<string>()
  const handed = new Map<string, number>()
  const taken = new Map<string, number>()
  const told = new Map<string, Map<string, PartOutcome | null>>()
  const incoming = new Set<string>()
  const links: { readonly machine: Machine; readonly report: ReportEvents }[] = []
  let parts = 0

  /** Told again until it is acknowledged: a process that dies meanwhile never does. */
  const tell = async (event: CarrierEvent, delayMs: number): Promise<void> => {
    await pass(world, delayMs)
    for (;;) {
      const link = dice.pick(links.filter(({ machine }) => machine.state() === 'RUNNING'))
      if (link !== undefined && (await acknowledges(world, link, event))) return
      await pass(world, 1000)
    }
  }

  const tellOfPart = (
    carrierMessageId: string,
    outcome: PartOutcome,
    known: Map<string, PartOutcome | null>,
  ): void => {
    const early = dice.strikes(temper.receiptEarly)
    const delayMs = early ? 0 : dice.fraction() * 5000
    const event = { kind: 'RECEIPT', carrierMessageId, outcome } as const
    void tell(event, delayMs).then(() => {
      if (outcome.type !== 'UNKNOWN') known.set(carrierMessageId, outcome)
    })
    if (dice.strikes(temper.receiptOften)) void tell(event, dice.fraction() * 8000)
  }

  const take = (message: OutgoingMessage): SubmitOutcome => {
    taken.set(message.id, (taken.get(message.id) ?? 0) + 1)
    const carrierMessageIds = Array.from(
      { length: message.numberOfParts },
      () => `part-${(parts += 1)}`,
    )
    const known = told.get(message.id) ?? new Map<string, PartOutcome | null>()
    told.set(message.id, known)
    for (const id of carrierMessageIds) {
      known.set(id, null)
      if (dice.strikes(temper.receiptLost)) continue
      if (dice.strikes(temper.receiptOften)) tellOfPart(id, unknown, known)
      tellOfPart(id, dice.strikes(temper.receiptFails) ? undeliverable : delivered, known)
    }
    return { kind: 'SUBMITTED', carrierMessageIds }
  }

  const submit = async (message: OutgoingMessage, machine: Machine): Promise<SubmitOutcome> => {
    // At times there is no room.
    if (world.isRough && dice.fraction() < 0.3) {
      waiting.add(message.id)
      await pass(world, dice.fraction() * 2000)
      waiting.delete(message.id)
    }
    if (machine.state() === 'DEAD') return new Promise(() => {})
    if (message.isRecalled?.() === true) {
      return { kind: 'BUSY', retryAfterMs: 0, reason: 'the message was deleted' }
    }
    handed.set(message.id, (handed.get(message.id) ?? 0) + 1)
    const outcome = await answer(message)
    world.note(`the carrier answers ${outcome.kind} for ${message.id}`)
    return outcome
  }

  const answer = async (message: OutgoingMessage): Promise<SubmitOutcome> => {
    world.note(`the carrier is handed ${message.id}`)
    if (dice.strikes(temper.carrierRejects)) return { kind: 'REJECTED', detail: 'REJECTED' }
    if (dice.strikes(temper.carrierBusy)) {
      return { kind: 'BUSY', retryAfterMs: 1000, reason: 'throttled' }
    }
    const isUncertain = dice.strikes(temper.carrierUncertain)
    const uncertain = { kind: 'UNCERTAIN', reason: 'the link broke' } as const
    if (isUncertain && dice.fraction() < 0.5) return uncertain
    const outcome = take(message)
    await pass(world, world.isRough ? dice.fraction() * 500 : 1)
    return isUncertain ? uncertain : outcome
  }

  const link = (id: string, machine: Machine): Carrier => ({
    id,
    submit: (message, signal) => {
      if (machine.state() === 'DEAD') return new Promise(() => {})
      const givenUp = new Promise<SubmitOutcome>((resolve) => {
        const late = { kind: 'UNCERTAIN', reason: 'it took too long' } as const
        signal.addEventListener('abort', () => resolve(late), { once: true })
      })
      return Promise.race([machine.through(submit(message, machine)), givenUp])
    },
    start: async (report) => void links.push({ machine, report }),
    condition: () => ({
      state: 'BOUND',
      stateReason: null,
      since: 0,
      inFlight: 0,
      partsPerSecond: 0,
      lastError: null,
    }),
    async [Symbol.asyncDispose]() {
      links.splice(
        links.findIndex((link) => link.machine === machine),
        1,
      )
    },
  })

  return {
    waiting,
    handed,
    taken,
    told,
    incoming,
    typeOf: (machine) => ({ type: 'SIMULATOR', settings: {}, open: (id) => link(id, machine) }),
    text: (from, to, body) => {
      const event = { kind: 'INCOMING', from, to, body, encoding: 'TEXT', ...plain } as const
      void tell(event, dice.fraction() * 1000).then(() => incoming.add(body))
    },
  }
}

const plain = { protocolId: 0, messageClass: 1, numberOfParts: 1, repliesTo: null } as const

/** Hands an event to a process. Its word may never come: then it counts as not given. */
async function acknowledges(
  world: World,
  { machine, report }: { readonly machine: Machine; readonly report: ReportEvents },
  event: CarrierEvent,
): Promise<boolean> {
  return new Promise<boolean>((resolve) => {
    const calledOff = world.timeline.after(2000, () => resolve(false))
    const told = (isTaken: boolean): void => {
      calledOff()
      resolve(isTaken)
    }
    machine.enter(() => {
      report(simulatorId, [event]).then(
        () => machine.state() !== 'DEAD' && told(true),
        () => told(false),
      )
    })
  })
}
