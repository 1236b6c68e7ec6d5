import type { Clock } from '../../core/ports/clock.ts'
import type { ServedWebhook } from './served-webhook.ts'
import type { DeliveryParts } from './delivery-parts.ts'

/** Alternating share of time for new records and for replays, in milliseconds. */
export const shareMs = 20

/**
 * Returns true if a replay of a webhook is due. Replays wait while new records fail: a receiver in
 * trouble must not get twice the requests.
 */
export function mayReplay(served: ServedWebhook, clock: Clock): boolean {
  const { replays, failingSince, disabled } = served.progress
  if (replays.length === 0 || failingSince !== null || disabled !== null) return false
  return served.replayDueAt <= clock.monotonic()
}

/** Returns true if this node may start a request: it holds its leases and is not stopping. */
export function mayBegin({ node }: Pick<DeliveryParts, 'node'>): boolean {
  return node.holdsLeases() && !node.stopping.aborted
}
