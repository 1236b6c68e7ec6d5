import type { Clock } from '../../core/ports/clock.ts'

/** Limits of simultaneously served webhooks. */
export interface TurnLimits {
  /** In all. Each holds what it sends in memory, and one connection. */
  readonly total: number
  /** Towards one origin, so that one that is slow does not take every place. */
  readonly perOrigin: number
  /** Total slots for receivers that are not failing but had no success for an hour. */
  readonly unproven: number
  /** The same for one origin: many silent receivers must not delay the others. */
  readonly unprovenPerOrigin: number
  /** In all, of those that failed last time: they are likely to run into their timeouts again. */
  readonly failing: number
  /** Of these towards one origin: a host that many use has places left for those that do not fail. */
  readonly failingPerOrigin: number
  /** In all, of those that gave up their places to wait for receivers; half may be failing ones. */
  readonly stalled: number
  /** Of these towards one origin. */
  readonly stalledPerOrigin: number
}

/** A place among those that are worked on. */
export interface WebhookSlot {
  /**
   * Waits for a receiver until it is back. Where that takes long and others wait, the place goes to
   * one of them; then the turn is contended.
   */
  away(): void
  back(): void
  /** Returns true if another webhook waits for the slot and this one had it for a while. */
  isContended(): boolean
  end(): void
}

/** Shares out turns, first come first served. A webhook that waits for a retry holds none. */
export interface ConcurrencyLimiter {
  take(origin: string, health: ReceiverHealth): Promise<WebhookSlot>
}

/** Expected behaviour of a receiver. */
export type ReceiverHealth =
  /** It took something not long ago. */
  | 'PROVEN'
  /** Unknown: it had no success yet, or none for long. */
  | 'UNPROVEN'
  /** The last attempt failed. */
  | 'FAILING'

/** Default limits. */
export const defaultTurnLimits: TurnLimits = {
  total: 1280,
  perOrigin: 24,
  unproven: 1024,
  unprovenPerOrigin: 12,
  failing: 256,
  failingPerOrigin: 8,
  stalled: 1024,
  stalledPerOrigin: 96,
}

/** Length of a turn while others wait, or one request if that takes longer. */
const quantumMs = 20

/** A receiver that is not done after this is waited for without a place, where others want it. */
const stallMs = 100

/** Interval of the check for slow receivers while others wait, in milliseconds. */
const sweepMs = 50

/** Shares out turns within limits. */
export function concurrencyLimiter(limits: TurnLimits, clock: Clock): ConcurrencyLimiter {
  const places = new Places(limits)
  const taken = new Set<TakenTurn>()
  let isSweeping = false

  const sweep = (): void => {
    isSweeping = false
    let isWanted = false
    for (const turn of taken) {
      if (!turn.isWanted()) continue
      isWanted = true
      turn.stall()
    }
    if (isWanted) sweepLater()
  }
  const sweepLater = (): void => {
    if (isSweeping) return
    isSweeping = true
    clock.after(sweepMs, sweep)
  }

  return {
    take: async (origin, health) => {
      const place = places.of(origin, health)
      // Enter the global limit last: waiting for an origin must not occupy a slot.
      for (const each of place.gates) {
        const entered = each.enter()
        if (each.waiting() > 0) sweepLater()
        await entered
      }
      const turn = new TakenTurn(place, clock, () => taken.delete(turn))
      taken.add(turn)
      return turn
    },
  }
}

/** Gates that a turn occupies, and its gate if it stalls. */
interface Place {
  readonly gates: readonly Gate[]
  readonly leave: () => void
  /** Occupies a slot among the stalled ones; returns null if they are full. */
  readonly stall: () => (() => void) | null
}

/** All the room that there is. */
class Places {
  readonly #limits: TurnLimits
  readonly #all: Gate
  /** Narrower ones, of those that are likely to be waited for. */
  readonly #ofHealth: Readonly<Record<ReceiverHealth, readonly Gate[]>>
  readonly #origins = new Map<string, { readonly gate: Gate; users: number }>()
  /** Number of stalled turns: all, failing ones, and by origin. */
  readonly #stalled = new Map<string, number>()

  constructor(limits: TurnLimits) {
    this.#limits = limits
    this.#all = gate(limits.total)
    this.#ofHealth = {
      PROVEN: [],
      UNPROVEN: [gate(limits.unproven)],
      FAILING: [gate(limits.failing)],
    }
  }

  of(origin: string, health: ReceiverHealth): Place {
    const name = `${health} ${origin}`
    const own = this.#origins.get(name) ?? {
      gate: gate(perOrigin(this.#limits, health)),
      users: 0,
    }
    own.users += 1
    this.#origins.set(name, own)
    const gates = [own.gate, ...this.#ofHealth[health], this.#all]
    return {
      gates,
      leave: () => {
        for (const each of gates) each.leave()
        own.users -= 1
        if (own.users === 0) this.#origins.delete(name)
      },
      stall: () => this.#stall(origin, health),
    }
  }

  #stall(origin: string, health: ReceiverHealth): (() => void) | null {
    const { stalled, stalledPerOrigin } = this.#limits
    const rooms = [
      { name: 'all', limit: stalled },
      { name: `of ${origin}`, limit: stalledPerOrigin },
      ...(health === 'FAILING' ? [{ name: 'failing', limit: Math.floor(stalled / 2) }] : []),
    ]
    if (rooms.some(({ name, limit }) => (this.#stalled.get(name) ?? 0) >= limit)) return null
    for (const { name } of rooms) this.#add(name, 1)
    return () => {
      for (const { name } of rooms) this.#add(name, -1)
    }
  }

  #add(name: string, change: 1 | -1): void {
    const count = (this.#stalled.get(name) ?? 0) + change
    if (count === 0) this.#stalled.delete(name)
    else this.#stalled.set(name, count)
  }
}

function perOrigin(limits: TurnLimits, health: ReceiverHealth): number {
  if (health === 'PROVEN') return limits.perOrigin
  return health === 'UNPROVEN' ? limits.unprovenPerOrigin : limits.failingPerOrigin
}

class TakenTurn implements WebhookSlot {
  readonly #place: Place
  readonly #clock: Clock
  readonly #onEnd: () => void
  readonly #began: number
  #awaySince: number | null = null
  #leaveStalled: (() => void) | null = null

  constructor(place: Place, clock: Clock, onEnd: () => void) {
    this.#place = place
    this.#clock = clock
    this.#onEnd = onEnd
    this.#began = clock.monotonic()
  }

  away(): void {
    this.#awaySince = this.#clock.monotonic()
  }

  back(): void {
    this.#awaySince = null
  }

  isContended(): boolean {
    if (this.#leaveStalled !== null) return true
    return this.isWanted() && this.#clock.monotonic() - this.#began >= quantumMs
  }

  end(): void {
    this.#onEnd()
    if (this.#leaveStalled === null) this.#place.leave()
    else this.#leaveStalled()
  }

  /** Returns true if another webhook waits for this slot. */
  isWanted(): boolean {
    return this.#leaveStalled === null && this.#place.gates.some((each) => each.waiting() > 0)
  }

  /** Gives up the place where the receiver takes long, if there is room to wait for it. */
  stall(): void {
    const since = this.#awaySince
    if (since === null || this.#clock.monotonic() - since < stallMs) return
    this.#leaveStalled = this.#place.stall()
    if (this.#leaveStalled !== null) this.#place.leave()
  }
}

/** Semaphore with a first-in, first-out queue. */
export interface Gate {
  /** Resolves when there is room; the caller must leave. */
  enter(): Promise<void>
  leave(): void
  /** Returns the length of the queue. */
  waiting(): number
  isEmpty(): boolean
}

/** Creates a gate for `limit` simultaneous callers. */
export function gate(limit: number): Gate {
  let inside = 0
  /** A set keeps the order, and gives up its first without moving the others. */
  const queue = new Set<() => void>()

  return {
    enter: () => {
      if (inside < limit) {
        inside += 1
        return Promise.resolve()
      }
      return new Promise((resolve) => queue.add(resolve))
    },
    leave: () => {
      const [first] = queue
      if (first === undefined) {
        inside -= 1
      } else {
        queue.delete(first)
        first()
      }
    },
    waiting: () => queue.size,
    isEmpty: () => inside === 0,
  }
}
