import { replays, type Replay } from '../../collections/replays.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Writer } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import { resultOf } from './replay-live.ts'
import type { ReplayProgress } from './progress.ts'
import { asReplay, type ReplayState } from './stored-replay.ts'

/** Change of a replay's state. */
export interface ReplayChange extends ReplayState {
  /** Progress at the change. */
  readonly progress: ReplayProgress
}

/** The states in which nothing more comes of a replay. */
const ends: readonly Replay['state'][] = ['COMPLETED', 'FAILED', 'CANCELLED']

/** Returns true if a replay has ended. */
export function hasEnded({ state }: Pick<ReplayState, 'state'>): boolean {
  return ends.includes(state)
}

/** Saves the new state of a replay; does nothing if it was removed. */
export async function saveReplay(
  writer: Writer,
  webhookId: string,
  change: ReplayChange,
  now: Instant,
): Promise<void> {
  const key = { parent: webhookId, id: change.progress.id }
  const stored = await writer.find(replays, key)
  if (stored === null) return
  const instance: JsonObject = JSON.parse(stored.doc)
  const hidden: JsonObject | null = stored.hidden === null ? null : JSON.parse(stored.hidden)
  const changed = changedReplay(instance, hidden, change, now)
  await writer.save(
    replays,
    key,
    { ...changed.instance, updatedAt: timestamp(now) },
    changed.hidden,
  )
}

/** Returns a replay with its changes applied. */
export function changedReplay(
  instance: JsonObject,
  hidden: JsonObject | null,
  change: ReplayChange,
  now: Instant,
): { readonly instance: JsonObject; readonly hidden: JsonObject | null } {
  const { state, stateReason, progress } = change
  const { endedAt = null } = asReplay(instance)
  if (!hasEnded(change)) return { instance: { ...instance, state, stateReason }, hidden }
  return {
    instance: { ...instance, state, stateReason, endedAt: endedAt ?? timestamp(now) },
    hidden: { ...hidden, result: resultOf(progress) },
  }
}
