import type { DeliveryParts } from './delivery-parts.ts'

/** A node that lost its leases serves a webhook again when it has taken it anew. */
export function mayBegin({ node }: Pick<DeliveryParts, 'node'>): boolean {
  return node.holdsLeases() && !node.stopping.aborted
}
