import type {
  Carrier,
  CarrierEvent,
  OutgoingMessage,
  ReportEvents,
  SubmitOutcome,
} from '../../../src/core/ports/carrier.ts'

/** A carrier that does what the test says. */
export interface FakeCarrier extends Carrier {
  /** What it was given, in order. */
  readonly submitted: readonly OutgoingMessage[]
  /** Answers the oldest message that has no answer yet; without an outcome: takes all its parts. */
  answer(outcome?: SubmitOutcome): void
  report(...events: readonly CarrierEvent[]): Promise<void>
}

/** What becomes of a message at once; null leaves it to `answer`. */
export type Decide = (message: OutgoingMessage) => SubmitOutcome | null

/** Parts are called after their message: `<message>.<part>`. */
export function taken(message: OutgoingMessage): SubmitOutcome {
  const carrierMessageIds = Array.from(
    { length: message.numberOfParts },
    (_, index) => `${message.id}.${index + 1}`,
  )
  return { kind: 'SUBMITTED', carrierMessageIds }
}

/** Makes a carrier that takes every message at once, or decides otherwise. */
export function fakeCarrier(decide: Decide = taken, id = 'carrier_simulator'): FakeCarrier {
  const submitted: OutgoingMessage[] = []
  const open: { message: OutgoingMessage; resolve: (outcome: SubmitOutcome) => void }[] = []
  let reportEvents: ReportEvents | null = null

  return {
    id,
    submitted,
    submit: (message, signal) => {
      submitted.push(message)
      const outcome = decide(message)
      if (outcome !== null) return Promise.resolve(outcome)
      return new Promise((resolve) => {
        open.push({ message, resolve })
        signal.addEventListener('abort', () => resolve({ kind: 'UNCERTAIN', reason: 'too late' }))
      })
    },
    answer: (outcome) => {
      const first = open.shift()
      if (first === undefined) throw new Error('no message waits for an answer')
      first.resolve(outcome ?? taken(first.message))
    },
    report: async (...events) => reportEvents?.(id, events),
    start: async (report) => {
      reportEvents = report
    },
    condition: () => ({
      state: 'BOUND',
      stateReason: null,
      since: 0,
      inFlight: 0,
      partsPerSecond: 0,
      lastError: null,
    }),
    async [Symbol.asyncDispose]() {},
  }
}
