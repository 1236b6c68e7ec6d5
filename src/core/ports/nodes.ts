/** The parts of the service that a node can run: requests, what goes to carriers, what goes to webhooks. */
export const roles = ['api', 'submit', 'deliver'] as const

/** One of them. */
export type NodeRole = (typeof roles)[number]

/** A node as the others see it. */
export interface NodeRecord {
  readonly id: string
  readonly roles: readonly NodeRole[]
  /** State that the node shares with the others, as JSON text; opaque to the store. */
  readonly sharedState: string
}

/** Nodes that share the store, as of the last heartbeat. */
export interface NodeMembers {
  /** This node. */
  readonly self: string
  /** Returns all live nodes, this one included, by `id`. */
  live(): readonly NodeRecord[]
  /** Calls `listener` whenever one has joined or gone; returns how to stop. */
  onChange(listener: () => void): () => void
  /**
   * Returns true if no other node can have considered this one gone, and taken its claims, since a
   * time on the monotonic clock.
   */
  isHeldSince(since: number): boolean
}

/** Counts the nodes with a role; at least 1, because callers divide by it. */
export function countOf(members: NodeMembers, role: NodeRole): number {
  return Math.max(1, members.live().filter((node) => node.roles.includes(role)).length)
}

/** A node that has its store for itself. */
export function alone(self: string): NodeMembers {
  const itself = { id: self, roles, sharedState: '{}' }
  return { self, live: () => [itself], onChange: () => () => {}, isHeldSince: () => true }
}
