import type { DeliveryParts } from './delivery-parts.ts'
import { Flow } from '../attempts/flow.ts'
import { mayReplay } from './may-send.ts'
import { readTarget } from './read-target.ts'
import { ReplayFlow } from '../attempts/replay-flow.ts'
import type { NextAction } from '../attempts/next-action.ts'
import type { ServedWebhook } from './served-webhook.ts'
import { standingOf, type ReceiverHealth } from './receiver-health.ts'
import type { WebhookTarget } from '../attempts/target.ts'
import type { WebhookSlot } from './concurrency-limiter.ts'

/**
 * Serves a webhook until nothing can be sent, or others wait: reads from the cursor, sends, commits
 * the
 * outcomes; then the same for replays. It holds records in memory only during a turn.
 */
export async function takeTurn(served: ServedWebhook, parts: DeliveryParts): Promise<NextAction> {
  const target = await readTarget(served, parts)
  if (target === null) return { kind: 'OVER' }
  if (!target.active || served.progress.disabled !== null) return { kind: 'DORMANT' }
  if (served.dueAt > parts.clock.monotonic()) return { kind: 'LATER', until: served.dueAt }

  const turn = await parts.turns.take(target.url.origin, standingNow(served, parts))
  try {
    const rest = await sendNew(served, target, turn, parts)
    return await thenAgain(rest, served, target, turn, parts)
  } finally {
    turn.end()
  }
}

/** Returns the expected behaviour of the receiver for the next request. */
function standingNow(served: ServedWebhook, { clock }: DeliveryParts): ReceiverHealth {
  const failingSince = served.progress.replays[0]?.flow.failingSince ?? null
  if (failingSince !== null && mayReplay(served, clock)) return 'FAILING'
  return standingOf(served.progress, clock.now())
}

async function sendNew(
  served: ServedWebhook,
  target: WebhookTarget,
  turn: WebhookSlot,
  parts: DeliveryParts,
): Promise<NextAction> {
  const flow = new Flow(served, target, turn, parts)
  try {
    return await flow.run()
  } finally {
    await flow.end()
  }
}

/** Sends again, where that is due and what happens does not fail. */
async function thenAgain(
  rest: NextAction,
  served: ServedWebhook,
  target: WebhookTarget,
  turn: WebhookSlot,
  parts: DeliveryParts,
): Promise<NextAction> {
  const goesOn = rest.kind === 'AGAIN' || rest.kind === 'IDLE' || rest.kind === 'FILLING'
  if (!goesOn) return rest
  const now = mayReplay(served, parts.clock)
  const again = now ? await new ReplayFlow(served, target, turn, parts).run() : waiting(served)
  if (again.kind !== 'IDLE') return again
  if (again.until === null || rest.kind === 'AGAIN') return rest
  return { ...rest, until: Math.min(rest.until ?? Infinity, again.until) }
}

/** A replay whose time has not come. */
function waiting({ progress, replayDueAt }: ServedWebhook): NextAction {
  const waits = progress.replays.length > 0 && progress.failingSince === null
  return { kind: 'IDLE', until: waits ? replayDueAt : null }
}
