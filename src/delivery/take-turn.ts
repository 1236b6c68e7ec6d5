import { webhooks } from '../collections/webhooks.ts'
import { attempt } from './attempt.ts'
import { rereadBatch } from './batch.ts'
import type { DeliveryParts } from './delivery-parts.ts'
import { logPlace, planNext, type Plan } from './plan-next.ts'
import type { Ready, Rest } from './rest.ts'
import type { ServedWebhook } from './served-webhook.ts'
import { targetOf, type Target } from './target.ts'
import type { Turn } from './turns.ts'
import { writeProgress, type Reached } from './write-progress.ts'

/** The cursor of a webhook that wants nothing of what is appended is written this often at most. */
const idleWriteMs = 60_000

/**
 * Works on a webhook until it has nothing to send just now, or others wait: reads on from the
 * cursor, sends, writes what came of it. It holds a batch in memory only while it has a turn.
 */
export async function takeTurn(served: ServedWebhook, parts: DeliveryParts): Promise<Rest> {
  const target = await readTarget(served, parts)
  if (target === null) return { kind: 'OVER' }
  if (!target.active || served.progress.disabled !== null) return { kind: 'DORMANT' }
  if (served.dueAt > parts.clock.monotonic()) return { kind: 'LATER', until: served.dueAt }

  const turn = await parts.turns.take(target.url.origin, served.progress.failingSince !== null)
  try {
    return await work(served, target, turn, parts)
  } finally {
    turn.end()
  }
}

async function work(
  served: ServedWebhook,
  target: Target,
  turn: Turn,
  parts: DeliveryParts,
): Promise<Rest> {
  if (!mayBegin(parts)) return { kind: 'DORMANT' }
  let next = await resume(served, target, parts)
  while (next.kind === 'READY') {
    // It may have been changed while this one waited for its turn, or for the answer before.
    const now = await readTarget(served, parts)
    if (now === null) return { kind: 'OVER' }
    if (!now.active || !mayBegin(parts)) return { kind: 'DORMANT' }
    if (now.url.origin !== target.url.origin) return { kind: 'AGAIN' }

    const reached = await attempt(served, now, next, parts)
    if (reached === null) return { kind: 'OVER' }
    next = await proceed(served, now, reached, parts)
    if (next.kind === 'READY' && turn.isContended()) return { kind: 'AGAIN' }
  }
  return next
}

/** A node that lost its leases serves a webhook again when it has taken it anew. */
function mayBegin({ node }: DeliveryParts): boolean {
  return node.holdsLeases() && !node.stopping.aborted
}

/** The webhook as it is now; null where it was removed. */
async function readTarget(served: ServedWebhook, parts: DeliveryParts): Promise<Target | null> {
  const changes = parts.node.changes()
  if (served.read?.changes === changes) return served.read.target

  const { account, webhookId } = served.consumer
  const stored = await parts.store.read(account, (reader) =>
    reader.find(webhooks, { id: webhookId }),
  )
  if (stored === null) return null
  const target = targetOf(stored)
  served.read = { target, changes }
  return target
}

/** Takes up the open batch as it was, or opens one. */
async function resume(
  served: ServedWebhook,
  target: Target,
  parts: DeliveryParts,
): Promise<Ready | Rest> {
  const { position, progress } = served
  const { batch } = progress
  if (batch === null) return proceed(served, target, { position, progress, delivery: null }, parts)

  const place = logPlace(served, target, position)
  const entries = await rereadBatch(parts.store.log, place, batch)
  if (entries !== null) return { kind: 'READY', batch, entries }
  // Part of it became too old to be kept. What is left is another batch, under an identifier of its own.
  const rest = { position, progress: { ...progress, batch: null }, delivery: null }
  return proceed(served, target, rest, parts)
}

/** Goes on from what was reached; writes it, together with the next batch where there is one. */
async function proceed(
  served: ServedWebhook,
  target: Target,
  reached: Reached,
  parts: DeliveryParts,
): Promise<Ready | Rest> {
  const plan = await planSafely(served, target, reached, parts)
  if (isWorthWriting(served, plan.reached, parts)) {
    const holds = await writeProgress(served, target, plan.reached, parts)
    return holds ? plan.next : { kind: 'OVER' }
  }
  served.position = plan.reached.position
  return plan.next
}

/** What the receiver said must not be lost because the log cannot be read on just now. */
async function planSafely(
  served: ServedWebhook,
  target: Target,
  reached: Reached,
  parts: DeliveryParts,
): Promise<Plan> {
  try {
    return await planNext(served, target, reached, parts)
  } catch (error) {
    if (reached.delivery === null) throw error
    parts.events.failed(served.consumer.webhookId, error)
    return { reached, next: { kind: 'AGAIN' } }
  }
}

function isWorthWriting(
  served: ServedWebhook,
  { position, progress, delivery }: Reached,
  { clock }: DeliveryParts,
): boolean {
  if (delivery !== null || progress !== served.progress) return true
  return position !== served.position && clock.monotonic() - served.writtenAt > idleWriteMs
}
