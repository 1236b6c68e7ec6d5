import type { CarrierType } from '../../core/ports/carrier.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { NodeMembers } from '../../core/ports/nodes.ts'
import type { Store } from '../../core/ports/store.ts'
import type { ConfiguredCarrier } from './carriers.ts'

/** The dependencies of bind leases. */
export interface BindLeaseOptions {
  readonly store: Store
  readonly clock: Clock
  readonly members: NodeMembers
}

/** The bind leases of this node. Over all nodes a carrier has at most the binds in its settings. */
export interface BindLeases {
  /** Renews, takes or gives up binds of these carriers. The limits are the binds over all nodes. */
  renew(limits: ReadonlyMap<string, number>): Promise<void>
  /** Returns how many binds of a carrier this node may have now. */
  heldOf(carrier: string): number
  /** Releases binds that were given up. The caller has closed their links. */
  releaseClosed(carrier: string): Promise<void>
  /** Releases all leases. */
  release(): Promise<void>
}

/** The duration of a lease, and the margin before its end at which this node stops to rely on it. */
const [leaseMs, marginMs] = [8000, 1000]

interface Held {
  readonly names: Set<string>
  /** Binds that were given up; their links may still be open. */
  readonly leaving: Set<string>
}

/** Creates the bind leases: one lease for each bind. */
export function bindLeases({ store, clock, members }: BindLeaseOptions): BindLeases {
  const { self } = members
  const all = new Map<string, Held>()
  let reliableUntil = -Infinity

  const of = (carrier: string): Held => {
    const held = all.get(carrier) ?? { names: new Set<string>(), leaving: new Set<string>() }
    all.set(carrier, held)
    return held
  }
  const giveUp = ({ names, leaving }: Held, share: number): void => {
    for (const name of [...names].slice(share)) {
      names.delete(name)
      leaving.add(name)
    }
  }

  return {
    renew: async (limits) => {
      const began = clock.monotonic()
      const now = clock.now()
      for (const [carrier, held] of all)
        giveUp(held, shareOf(carrier, limits.get(carrier), members))
      const taken = await store.transact((transaction) => {
        const take: Take = (names) => transaction.leases.take(names, self, now, now + leaseMs)
        return takeAll(take, limits, all, members)
      })
      for (const [carrier, kept] of taken) {
        all.set(carrier, { names: new Set(kept), leaving: of(carrier).leaving })
      }
      reliableUntil = began + leaseMs - marginMs
    },
    heldOf: (carrier) =>
      clock.monotonic() < reliableUntil ? (all.get(carrier)?.names.size ?? 0) : 0,
    releaseClosed: async (carrier) => {
      const { leaving } = of(carrier)
      const given = [...leaving]
      if (given.length === 0) return
      await store.transact(({ leases }) => leases.release(given, self))
      for (const name of given) leaving.delete(name)
    },
    release: async () => {
      const given = [...all.values()].flatMap(({ names, leaving }) => [...names, ...leaving])
      all.clear()
      await store.transact(({ leases }) => leases.release(given, self))
    },
  }
}

type Take = (names: readonly string[]) => Promise<readonly string[]>

/** Renews leases and takes free ones up to this node's share. */
async function takeAll(
  take: Take,
  limits: ReadonlyMap<string, number>,
  all: ReadonlyMap<string, Held>,
  members: NodeMembers,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  for (const { leaving } of all.values()) await take([...leaving])
  for (const [carrier, limit] of limits) {
    const { names, leaving } = all.get(carrier) ?? nothing
    const kept = [...(await take([...names]))]
    for (let bind = 1; bind <= limit; bind += 1) {
      if (kept.length >= shareOf(carrier, limit, members)) break
      const name = `bind/${carrier}/${bind}`
      if (names.has(name) || leaving.has(name)) continue
      if ((await take([name])).length > 0) kept.push(name)
    }
    found.set(carrier, kept)
  }
  return found
}

const nothing: Held = { names: new Set(), leaving: new Set() }

/**
 * Returns this node's share of the binds of a carrier. The remainder goes to different nodes for
 * different carriers.
 */
function shareOf(carrier: string, limit: number | undefined, { self, live }: NodeMembers): number {
  if (limit === undefined) return 0
  const nodes = live().filter(({ roles }) => roles.includes('submit'))
  const place = nodes.findIndex(({ id }) => id === self)
  if (place === -1) return 0
  const turn = [...carrier].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0)
  const rank = (place + turn) % nodes.length
  return Math.floor(limit / nodes.length) + (rank < limit % nodes.length ? 1 : 0)
}

/** Returns the number of binds of each carrier whose type has binds. */
export function bindLimits(
  types: readonly CarrierType[],
  wanted: readonly ConfiguredCarrier[],
): ReadonlyMap<string, number> {
  const found = wanted.flatMap(({ instance, settings: { binds } }): [string, number][] => {
    const type = types.find((each) => each.type === instance.type)
    const has = type?.settings['binds'] !== undefined && typeof binds === 'number'
    return has ? [[instance.id, binds]] : []
  })
  return new Map(found)
}

/**
 * Returns a carrier with this node's share of its binds and of their rate; null if the share is
 * empty.
 */
export function withShareOf(
  { instance, settings }: ConfiguredCarrier,
  held: number,
  limit: number,
): ConfiguredCarrier | null {
  if (held === 0) return null
  const { partsPerSecond } = settings
  const rate = typeof partsPerSecond === 'number' ? partsPerSecond * (held / limit) : null
  return {
    instance,
    settings: { ...settings, binds: held, ...(rate === null ? {} : { partsPerSecond: rate }) },
  }
}
