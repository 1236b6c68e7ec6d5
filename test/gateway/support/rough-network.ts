import type {
  Carrier,
  OutgoingMessage,
  ReportEvents,
  SubmitOutcome,
} from '../../../src/core/ports/carrier.ts'
import { wait, type Clock } from '../../../src/core/ports/clock.ts'
import type { PartOutcome } from '../../../src/core/ports/receipts.ts'
import type { Random } from '../../../src/core/ports/random.ts'

/** A network behind several links that refuses, delays, forgets, repeats and mixes up. */
export interface RoughNetwork {
  /** What was handed to it, with when, in order. */
  readonly submitted: readonly { readonly message: OutgoingMessage; readonly at: number }[]
  /** How often it took each message. */
  readonly taken: ReadonlyMap<string, number>
  /** A link to it, for one process. */
  link(alive: () => boolean): Carrier
}

const delivered: PartOutcome = { type: 'DELIVERED', detail: null }

/** Makes a network; what it does follows from the randomness alone. */
export function roughNetwork(clock: Clock, random: Random): RoughNetwork {
  const submitted: { message: OutgoingMessage; at: number }[] = []
  const taken = new Map<string, number>()
  const links: { report: ReportEvents; alive: () => boolean }[] = []
  const never = new AbortController().signal
  let parts = 0

  /** Receipts come over any link, are repeated, and survive the process that they were meant for. */
  const tell = async (carrierMessageId: string, outcome: PartOutcome): Promise<void> => {
    let times = 1 + Math.floor(random.fraction() * 2)
    while (times > 0) {
      await wait(clock, random.fraction() * 5000, never)
      const open = links.filter(({ alive }) => alive())
      const link = open[Math.floor(random.fraction() * open.length)]
      if (link === undefined) continue
      const told = link.report('carrier_simulator', [
        { kind: 'RECEIPT', carrierMessageId, outcome },
      ])
      // A process that dies meanwhile never acknowledges: then it is told again.
      const acknowledged = await Promise.race([
        told.then(() => true),
        wait(clock, 1000, never).then(() => false),
      ])
      if (acknowledged) times -= 1
    }
  }

  const take = (message: OutgoingMessage): SubmitOutcome => {
    taken.set(message.id, (taken.get(message.id) ?? 0) + 1)
    const carrierMessageIds = Array.from(
      { length: message.numberOfParts },
      () => `part-${(parts += 1)}`,
    )
    for (const id of carrierMessageIds) {
      const dice = random.fraction()
      if (dice < 0.1) continue
      if (dice < 0.3) void tell(id, { type: 'UNKNOWN', detail: null })
      void tell(id, dice > 0.9 ? { type: 'FAILED', detail: 'UNDELIVERABLE' } : delivered)
    }
    return { kind: 'SUBMITTED', carrierMessageIds }
  }

  const submit = async (message: OutgoingMessage, signal: AbortSignal): Promise<SubmitOutcome> => {
    submitted.push({ message, at: clock.now() })
    const dice = random.fraction()
    await wait(clock, random.fraction() * 2000, signal)
    if (dice < 0.1) return { kind: 'REJECTED', detail: 'REJECTED' }
    if (dice < 0.2) return { kind: 'BUSY', retryAfterMs: 1000, reason: 'throttled' }
    if (dice < 0.25) return { kind: 'UNCERTAIN', reason: 'the link broke before it took it' }
    const outcome = take(message)
    return dice < 0.3 ? { kind: 'UNCERTAIN', reason: 'the link broke after it took it' } : outcome
  }

  return {
    submitted,
    taken,
    link: (alive) => ({
      id: 'carrier_simulator',
      submit,
      start: async (report) => void links.push({ report, alive }),
      condition: () => ({
        state: 'BOUND',
        stateReason: null,
        since: 0,
        inFlight: 0,
        partsPerSecond: 0,
        lastError: null,
      }),
      async [Symbol.asyncDispose]() {},
    }),
  }
}
