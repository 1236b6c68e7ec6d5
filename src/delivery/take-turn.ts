import type { DeliveryParts } from './delivery-parts.ts'
import { Flow } from './flow.ts'
import { readTarget } from './read-target.ts'
import type { Rest } from './rest.ts'
import type { ServedWebhook } from './served-webhook.ts'
import { standingOf } from './standing.ts'

/**
 * Works on a webhook until it has nothing to send just now, or others wait: reads on from the
 * cursor, sends, writes what came of it. It holds records in memory only while it has a turn.
 */
export async function takeTurn(served: ServedWebhook, parts: DeliveryParts): Promise<Rest> {
  const target = await readTarget(served, parts)
  if (target === null) return { kind: 'OVER' }
  if (!target.active || served.progress.disabled !== null) return { kind: 'DORMANT' }
  if (served.dueAt > parts.clock.monotonic()) return { kind: 'LATER', until: served.dueAt }

  const standing = standingOf(served.progress, parts.clock.now())
  const turn = await parts.turns.take(target.url.origin, standing)
  const flow = new Flow(served, target, turn, parts)
  try {
    return await flow.run()
  } finally {
    await flow.end()
    turn.end()
  }
}
