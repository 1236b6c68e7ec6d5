import type { CarrierCounts, CarrierEvent, ReportEvents } from '../../core/ports/carrier.ts'
import { EventsNotStored } from '../../core/ports/events-not-stored.ts'
import type { Receipt } from './receipt.ts'

/** A submit whose outcome waits to be stored, and the receipts of its parts that came meanwhile. */
export interface AwaitedOutcome {
  readonly receipts: readonly Receipt[]
  /** Its transaction begins: further receipts do not join it, but wait until it has ended. */
  begin(): void
  /** Tells those who brought the receipts. Those of an outcome that was not stored are stored alone. */
  end(isStored: boolean): void
}

/** Receipts that are stored in the transaction of their submit's outcome: the message is written once then. */
export interface JoinedReceipts {
  /** Lets receipts of these parts join an outcome. */
  await(carrier: string, carrierMessageIds: readonly string[]): AwaitedOutcome
  /** Reports events; those that join no outcome are reported to `others`. */
  report(others: ReportEvents): ReportEvents
}

/** The most receipts that wait for one outcome: a carrier may repeat itself. */
const joinedMax = 16

interface Waiting extends AwaitedOutcome {
  readonly receipts: Receipt[]
  isBegun: boolean
  /** Those who wait for its end. */
  readonly ends: ((isStored: boolean) => void)[]
}

/** Creates the meeting point of outcomes and receipts. */
export function joinedReceipts(counts?: Pick<CarrierCounts, 'receipted'>): JoinedReceipts {
  const waiting = new Map<string, Waiting>()

  const join = (carrier: string, event: CarrierEvent): Promise<boolean> | null => {
    if (event.kind !== 'RECEIPT') return null
    const { carrierMessageId, outcome, code = null } = event
    const awaited = waiting.get(nameOf(carrier, carrierMessageId))
    if (awaited === undefined || awaited.ends.length >= joinedMax) return null
    const isJoined = !awaited.isBegun
    if (isJoined) awaited.receipts.push({ carrier, carrierMessageId, outcome, code })
    return new Promise((resolve) => {
      awaited.ends.push((isStored) => resolve(isStored && isJoined))
    })
  }

  return {
    await: (carrier, carrierMessageIds) => {
      const names = carrierMessageIds.map((id) => nameOf(carrier, id))
      const own = awaitedOutcome(() => {
        for (const name of names) if (waiting.get(name) === own) waiting.delete(name)
      })
      for (const name of names) waiting.set(name, own)
      return own
    },

    report: (others) => async (carrier, events) => {
      const alone: CarrierEvent[] = []
      const joined: Promise<CarrierEvent | null>[] = []
      for (const event of events) {
        const ended = join(carrier, event)
        if (ended === null) alone.push(event)
        else joined.push(ended.then((isStored) => (isStored ? null : event)))
      }
      const reported = failureOf(others, carrier, alone)
      const left = (await Promise.all(joined)).filter((event) => event !== null)
      for (const _ of joined.slice(left.length)) counts?.receipted(carrier, 'MATCHED')
      const failure = await reported
      // All are reported again then, and a receipt that was stored changes nothing.
      if (failure !== null && !(failure.error instanceof EventsNotStored)) throw failure.error
      const failures = [failure, await failureOf(others, carrier, left)].filter(
        (one) => one !== null,
      )
      const [first] = failures
      if (first === undefined) return
      throw new EventsNotStored(new Set(failures.flatMap(({ lost }) => [...lost])), first.error)
    },
  }
}

function awaitedOutcome(onEnd: () => void): Waiting {
  const own: Waiting = {
    receipts: [],
    isBegun: false,
    ends: [],
    begin: () => {
      own.isBegun = true
    },
    end: (isStored) => {
      onEnd()
      for (const end of own.ends.splice(0)) end(isStored)
    },
  }
  return own
}

/** Events that were not stored, and why. */
interface Failure {
  readonly lost: Iterable<CarrierEvent>
  readonly error: unknown
}

/** Reports events, if there are any. Never throws. */
async function failureOf(
  report: ReportEvents,
  carrier: string,
  events: readonly CarrierEvent[],
): Promise<Failure | null> {
  if (events.length === 0) return null
  try {
    await report(carrier, events)
    return null
  } catch (error) {
    return { lost: error instanceof EventsNotStored ? error.events : events, error }
  }
}

/** The name of a carrier has no blank. */
function nameOf(carrier: string, carrierMessageId: string): string {
  return `${carrier} ${carrierMessageId}`
}
