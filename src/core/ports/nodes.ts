import type { Instant } from './clock.ts'

/** The parts of the service that a node can run: requests, what goes to carriers, what goes to webhooks. */
export const roles = ['api', 'submit', 'deliver'] as const

/** One of them. */
export type NodeRole = (typeof roles)[number]

/** A node as the others see it. */
export interface NodeRecord {
  readonly id: string
  readonly roles: readonly NodeRole[]
  /** What it tells the others of itself, as JSON text; opaque to the store. */
  readonly sharedState: string
}

/** Which nodes work over a store, in the store. */
export interface Nodes {
  /** The time that all nodes go by: the store's own where several share it, else `now`. */
  time(now: Instant): Promise<Instant>
  /** Says that a node is there until `until`. Returns all that are at `now`, itself included, by `id`. */
  beat(node: NodeRecord, now: Instant, until: Instant): Promise<readonly NodeRecord[]>
  /**
   * Forgets the nodes that were not heard of in time, and makes the submissions that they have claimed
   * due at `now`, as uncertain. Returns them; of several who do this at once one is given each.
   */
  forget(now: Instant): Promise<readonly string[]>
  /** Says that a node has gone, and makes what it has claimed due at `now`. */
  leave(id: string, now: Instant): Promise<void>
}

/** The nodes over the store, as this one last heard. */
export interface NodeMembers {
  /** This node. */
  readonly self: string
  /** All that are there, this one included, by `id`. */
  live(): readonly NodeRecord[]
  /** Calls `listener` whenever one has joined or gone; returns how to stop. */
  onChange(listener: () => void): () => void
  /**
   * Whether no other node can have taken this one for gone, and its claims over, since a time on the
   * monotonic clock.
   */
  isHeldSince(since: number): boolean
}

/** How many nodes have a role; 1 at least, since a share of nothing is of no use. */
export function countOf(members: NodeMembers, role: NodeRole): number {
  return Math.max(1, members.live().filter((node) => node.roles.includes(role)).length)
}

/** A node that has its store for itself. */
export function alone(self: string): NodeMembers {
  const itself = { id: self, roles, sharedState: '{}' }
  return { self, live: () => [itself], onChange: () => () => {}, isHeldSince: () => true }
}
