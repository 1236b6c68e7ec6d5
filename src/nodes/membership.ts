import { type Clock, type Instant, wait } from '../core/ports/clock.ts'
import type { Log } from '../core/ports/log.ts'
import type { Lease, NamedLeases } from '../core/ports/leases.ts'
import type { NodeMembers, NodeRecord, NodeRole } from '../core/ports/nodes.ts'
import type { Store } from '../core/ports/store.ts'
import { clockSkew, type ClockReading } from './clock-skew.ts'

/** Dependencies of a node's membership. */
export interface MembershipParts {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** Names this node among those over the same store, and this run of it. */
  readonly self: string
  readonly roles: readonly NodeRole[]
  /** Returns the state that this node shares with the others, as JSON text. */
  readonly told: () => string
}

/** The membership of this node. Disposing says that it has gone. */
export interface Membership extends NodeMembers, AsyncDisposable {
  /**
   * Sends the first heartbeat and repeats it from then on. Throws `StoreUnavailable` if the clocks of
   * this node and of the store differ by more than a second.
   */
  start(): Promise<void>
  /** Returns how far the clock of this node is ahead of the store's, in milliseconds. */
  clockAheadMs(): number
}

/**
 * Heartbeat interval and validity, in milliseconds: other nodes notice within nine seconds and the time of
 * a commit that a node has gone.
 */
export const beatTimes = { everyMs: 2000, heldMs: 7000 }

/** Registers this node among the others. While the store is unreachable, the last known nodes stay. */
export function membership(parts: MembershipParts): Membership {
  const { store, clock, log, self, roles } = parts
  const stopping = new AbortController()
  const listeners = new Set<() => void>()
  const standing = standingFor(beatTimes.heldMs)
  const skew = clockSkew(log)
  let known: readonly NodeRecord[] = [{ id: self, roles, sharedState: '{}' }]
  let running: Promise<void> = Promise.resolve()

  const beat = async (): Promise<void> => {
    const node = { id: self, roles, sharedState: parts.told() }
    const began = clock.monotonic()
    const { live, gone, now, reading } = await beatOnce(parts, node, standing.isSure(began))
    skew.check(reading)
    standing.beaten({ began, ended: clock.monotonic(), now })
    if (gone.length > 0) log('warn', 'node heartbeats expired', { nodes: gone })
    const isChanged = namesOf(live) !== namesOf(known)
    known = live
    if (!isChanged) return
    log('info', 'nodes have changed', { nodes: live.map(({ id }) => id) })
    for (const listener of listeners) listener()
  }
  return {
    self,
    live: () => known,
    onChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    isHeldSince: (since) => standing.isHeld(since, clock.monotonic()),
    clockAheadMs: skew.aheadMs,
    start: async () => {
      skew.start((await store.transact(({ leases }) => readNodes(leases, clock))).reading)
      await beat()
      running = repeat(parts, beat, stopping.signal)
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      await running
      await leave(parts).catch((error: unknown) => log('warn', 'node not deregistered', { error }))
    },
  }
}

async function repeat(
  { clock, log }: MembershipParts,
  beat: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await wait(clock, beatTimes.everyMs, signal)
    if (signal.aborted) return
    await beat().catch((error: unknown) => log('warn', 'other nodes are not known', { error }))
  }
}

interface Heard {
  readonly live: readonly NodeRecord[]
  readonly gone: readonly string[]
  readonly now: Instant
  readonly reading: ClockReading
}

/** Reads the nodes that the store knows, and its clock. */
async function readNodes(
  leases: NamedLeases,
  clock: Clock,
): Promise<{ readonly all: readonly Lease[]; readonly reading: ClockReading }> {
  const before = clock.now()
  const { now: stored, leases: all } = await leases.list(prefix, before)
  return { all, reading: { before, stored, after: clock.now() } }
}

/** Reads the heartbeats of the others, writes one, timed by the store's clock, and forgets who has gone. */
async function beatOnce(
  parts: MembershipParts,
  node: NodeRecord,
  mayForget: boolean,
): Promise<Heard> {
  const { store, clock } = parts
  const { id, ...value } = node
  const { all, reading } = await store.transact(async ({ leases }) => {
    const read = await readNodes(leases, clock)
    const now = read.reading.stored
    await leases.take([prefix + id], id, now, now + beatTimes.heldMs, JSON.stringify(value))
    return read
  })
  const now = reading.stored
  const others = all.filter(({ owner }) => owner !== id)
  const live = [node, ...others.filter(({ until }) => until > now).map(nodeOf)].toSorted(byId)
  const expired = others.filter(({ until }) => until <= now).map(({ owner }) => owner)
  if (expired.length === 0 || !mayForget) return { live, gone: [], now, reading }
  await freeClaims(parts, expired, now)
  return { live, gone: await forget(store, expired, now), now, reading }
}

/** The names of leases by which nodes say that they are there. */
const prefix = 'node/'

function nodeOf({ owner, value }: Lease): NodeRecord {
  return { ...(JSON.parse(value) as Omit<NodeRecord, 'id'>), id: owner }
}

function byId(a: NodeRecord, b: NodeRecord): number {
  return a.id < b.id ? -1 : 1
}

/** Removes nodes that are gone, and returns those that no other node has removed. */
function forget(store: Store, gone: readonly string[], now: Instant): Promise<readonly string[]> {
  return store.transact(async ({ leases }) => {
    const forgotten: string[] = []
    for (const id of gone.toSorted()) {
      if ((await leases.release([prefix + id], id, now)).length > 0) forgotten.push(id)
    }
    return forgotten
  })
}

async function leave(parts: MembershipParts): Promise<void> {
  const { store, clock, self } = parts
  const { reading } = await store.transact(({ leases }) => readNodes(leases, clock))
  await freeClaims(parts, [self], reading.stored)
  await store.transact(({ leases }) => leases.release([prefix + self], self))
}

/** Frees what nodes had claimed, in each shard by itself. Where a shard fails, its claims end by themselves. */
async function freeClaims(
  { store, log }: MembershipParts,
  gone: readonly string[],
  now: Instant,
): Promise<void> {
  for (const shard of store.shards()) {
    const free = store.transact(
      async ({ submissions }) => {
        for (const id of gone) await submissions.free(id, now)
      },
      'ALONE',
      shard,
    )
    if (store.shards().length === 1) await free
    else await free.catch((error: unknown) => log('warn', 'claims are not free yet', { error }))
  }
}

function namesOf(nodes: readonly NodeRecord[]): string {
  return nodes.map(({ id, roles }) => `${id} ${roles.join(',')}`).join('\n')
}

/** A sign of life that the store took. */
export interface Heartbeat {
  /** When it was sent, and when the answer came, on the monotonic clock. */
  readonly began: number
  readonly ended: number
  /** The time of the store at it. */
  readonly now: Instant
}

/**
 * Period in which other nodes must have seen this node, without a gap. Times are on its monotonic
 * clock.
 */
export interface NodeLiveness {
  beaten(beat: Heartbeat): void
  /** Returns true if no other node can have considered this one gone between `since` and `now`. */
  isHeld(since: number, now: number): boolean
  /**
   * Returns true if nodes without a heartbeat are gone: if the store was away or its clock was set,
   * they may only have been unable to write one.
   */
  isSure(now: number): boolean
}

/** Largest difference between two clocks of equal speed, in milliseconds, for any response time. */
const driftMsMax = 1500

/** Begins with a node that the store does not know. `heldMs` is how long a sign of life is believed. */
export function standingFor(heldMs: number): NodeLiveness {
  let since = Infinity
  let until = -Infinity
  let ahead = 0

  return {
    beaten: ({ began, ended, now }) => {
      const drift = Math.abs(now - ended - ahead)
      if (ended >= until || drift > driftMsMax) since = ended
      until = began + heldMs
      ahead = now - ended
    },
    isHeld: (from, now) => from >= since && now < until,
    isSure: (now) => now < until && now - since >= heldMs,
  }
}
