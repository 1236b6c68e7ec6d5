import { everyAccount } from '../../core/account.ts'
import type { Clock, Instant } from '../../core/ports/clock.ts'
import type { Log } from '../../core/ports/log.ts'
import type { Store } from '../../core/ports/store.ts'
import type { Claimant } from '../../core/ports/submissions.ts'
import { blockedAmong } from '../messages/blocked.ts'
import type { DirectWay } from './direct-way.ts'
import { lastByAddress, rememberSenders, type PendingSubmit } from './due.ts'
import { carrierOf, type HandOvers } from './pending-submits.ts'
import { readLane } from './queue-name.ts'
import type { Routing } from '../carriers/routing.ts'

/** What lets messages go that need not wait. */
export interface DirectSubmissionsOptions {
  readonly store: Store
  readonly clock: Clock
  /** What is due goes by it. */
  readonly dueClock: Clock
  readonly log: Log
  readonly routing: Routing
  readonly hands: Pick<HandOvers, 'flights' | 'begin' | 'end'>
  /** Who claims from now on. */
  readonly claimant: () => Claimant
  /** After so long a claim leaves a carrier too little time, and the message is given back. */
  readonly freshMs: number
  /** Called with the time at which a message is due again, unless it is known by then what became of it. */
  readonly wake: (at: Instant) => void
}

/** Messages that go at once. */
export interface DirectSubmissions extends DirectWay {
  /** Says for which carriers something waits, as the present transaction leaves them; null where nobody knows. */
  left(carriers: ReadonlySet<string> | null): void
  /** Lets nothing go any more; kept when what may still go is with its carrier. */
  stop(): Promise<void>
}

/** A message that is durable, and may go. */
interface Ready {
  readonly handOver: PendingSubmit
  readonly until: Instant
  /** Since when it is claimed, on the monotonic clock. */
  readonly since: number
}

/**
 * Lets messages go at once for whose carrier nothing waits, so that none overtakes another one. It goes by
 * what this process knows, so it is for a store in which nobody else writes.
 */
export function directSubmissions(options: DirectSubmissionsOptions): DirectSubmissions {
  const { clock, routing, hands, claimant } = options
  let busy: Set<string> | null = null
  let stopped = false
  const departures = departing(options, () => stopped)

  const isOpen = (carrier: string): boolean => {
    const { flight, bucket } = hands.flights.of(carrier)
    return bucket() === null && routing.standingOf(carrier) === 'READY' && flight.room() > 0
  }

  return {
    take: (place) => {
      const { carrier, sender } = readLane(place.lane)
      if (stopped || busy === null || carrier === null || sender !== null) return null
      if (busy.has(carrier) || !isOpen(carrier)) {
        // What comes next must not overtake this one.
        busy.add(carrier)
        return null
      }
      const { flight } = hands.flights.of(carrier)
      flight.hold()
      const [since, own] = [clock.monotonic(), claimant()]
      return {
        claimant: own,
        ended: (handOver) => {
          if (handOver === null) flight.release()
          else departures.add({ handOver, until: own.until, since })
        },
      }
    },
    left: (carriers) => {
      busy = carriers === null ? null : new Set(carriers)
    },
    stop: async () => {
      stopped = true
      await departures.ended()
    },
  }
}

/** Messages that were made durable together go together, in their order. */
function departing(options: DirectSubmissionsOptions, isStopped: () => boolean) {
  const { store, clock, dueClock, log, routing, hands, freshMs, wake } = options
  let waiting: Ready[] = []
  let going = Promise.resolve()

  const giveBack = async (all: readonly Ready[]): Promise<void> => {
    const dueAt = dueClock.now()
    await hands.end(all.map(handOverOf), { kind: 'POSTPONED', dueAt })
    wake(dueAt)
  }

  const go = async (): Promise<void> => {
    const all = waiting
    waiting = []
    const stale = clock.monotonic() - freshMs
    const mayGo = ({ handOver, since }: Ready): boolean =>
      since >= stale && routing.standingOf(carrierOf(handOver)) === 'READY'
    const [fresh, others] = isStopped() ? [[], all] : parted(all, mayGo)
    if (others.length > 0) void giveBack(others)
    const [first] = fresh
    if (first === undefined) return
    try {
      const { blocked, ready } = await prepared(store, fresh.map(handOverOf), clock.now())
      hands.begin(ready)
      wake(first.until)
      void hands.end(blocked, { kind: 'REJECTED', detail: 'BLOCKED' })
    } catch (error) {
      log('error', 'messages could not be handed over at once', { error })
      void giveBack(fresh)
    }
  }

  return {
    add: (ready: Ready): void => {
      waiting.push(ready)
      if (waiting.length === 1) going = going.then(go)
    },
    ended: (): Promise<void> => going,
  }
}

function handOverOf({ handOver }: Ready): PendingSubmit {
  return handOver
}

/** Finds those whose recipients have opted out, and has it known who sends the others from where. */
async function prepared(
  store: Store,
  all: readonly PendingSubmit[],
  now: Instant,
): Promise<{
  readonly blocked: readonly PendingSubmit[]
  readonly ready: readonly PendingSubmit[]
}> {
  const found = await blockedAmong((account, work) => store.read(account, work), all)
  const [blocked, ready] = parted(all, (each) => found.has(each))
  if (!(await areSendersKnown(store, ready))) {
    await store.transact((transaction) => rememberSenders(transaction, ready, now))
  }
  return { blocked, ready }
}

/** Whether each account is already the last that sent from its address. */
function areSendersKnown(store: Store, ready: readonly PendingSubmit[]): Promise<boolean> {
  return store.read(everyAccount, async (reader) => {
    for (const [address, account] of lastByAddress(ready)) {
      if ((await reader.lastSender(address)) !== account) return false
    }
    return true
  })
}

/** Those for which it holds, and the others. */
function parted<T>(all: readonly T[], holds: (each: T) => boolean): readonly [T[], T[]] {
  return [all.filter(holds), all.filter((each) => !holds(each))]
}
