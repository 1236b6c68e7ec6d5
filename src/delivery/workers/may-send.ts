import type { Clock } from '../../core/ports/clock.ts'
import type { ServedWebhook } from './served-webhook.ts'
import type { DeliveryParts } from './delivery-parts.ts'

/** While there are both, what happens and what is sent again have the webhook for so long in turn. */
export const shareMs = 20

/**
 * Whether a replay of a webhook is due. It waits while deliveries of what happens fail: a receiver
 * that is in trouble is not asked twice.
 */
export function mayReplay(served: ServedWebhook, clock: Clock): boolean {
  const { replays, failingSince, disabled } = served.progress
  if (replays.length === 0 || failingSince !== null || disabled !== null) return false
  return served.replayDueAt <= clock.monotonic()
}

/** A node that lost its leases serves a webhook again when it has taken it anew. */
export function mayBegin({ node }: Pick<DeliveryParts, 'node'>): boolean {
  return node.holdsLeases() && !node.stopping.aborted
}
