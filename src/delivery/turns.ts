import { gate, type Gate } from './gate.ts'

/** How many webhooks are worked on at once. */
export interface TurnLimits {
  /** In all. Each holds one batch in memory and one connection. */
  readonly total: number
  /** Towards one origin, so that one that is slow does not take every place. */
  readonly perOrigin: number
  /** In all, of those that failed last time: they are likely to run into their timeouts again. */
  readonly failing: number
  /** Of these towards one origin: a host that many use has places left for those that do not fail. */
  readonly failingPerOrigin: number
}

/** A place among those that are worked on. */
export interface Turn {
  /** Whether another waits for it. */
  isContended(): boolean
  end(): void
}

/** Shares out turns, first come first served. A webhook that waits for a retry holds none. */
export interface Turns {
  take(origin: string, isFailing: boolean): Promise<Turn>
}

/** The limits where nobody says otherwise. */
export const defaultTurnLimits: TurnLimits = {
  total: 256,
  perOrigin: 24,
  failing: 128,
  failingPerOrigin: 8,
}

/** Shares out turns within limits. */
export function turns(limits: TurnLimits): Turns {
  const all = gate(limits.total)
  const failing = gate(limits.failing)
  const origins = new Map<string, Gate>()

  return {
    take: async (origin, isFailing) => {
      const name = isFailing ? `failing ${origin}` : origin
      const own = origins.get(name) ?? gate(isFailing ? limits.failingPerOrigin : limits.perOrigin)
      origins.set(name, own)
      // The widest comes last: whoever waits for its origin must not take a place from others.
      const gates = isFailing ? [own, failing, all] : [own, all]
      for (const each of gates) await each.enter()

      return {
        isContended: () => gates.some((each) => each.waiting() > 0),
        end: () => {
          for (const each of gates) each.leave()
          if (own.isEmpty()) origins.delete(name)
        },
      }
    },
  }
}
