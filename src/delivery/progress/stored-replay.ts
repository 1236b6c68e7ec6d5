import { type HiddenReplay, type Replay, replays } from '../../collections/replays.ts'
import { webhooks } from '../../collections/webhooks.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { LogSearch } from '../../core/ports/notification-log.ts'
import type { Reader, Stored, Writer } from '../../core/ports/store.ts'
import { parseTimestamp, timestamp } from '../../core/timestamp.ts'
import { readProgress, type ReplayProgress } from './progress.ts'
import { filterOf } from './stored-webhook.ts'

/** State of a replay and its reason. */
export type ReplayState = Pick<Replay, 'state' | 'stateReason'>

/** A replay by its declared type. Nothing but the engine, its rules and its dispatcher write replays. */
export function asReplay(instance: JsonObject): Partial<Replay> {
  return instance as Partial<Replay>
}

/** Hidden fields of a replay, by its declared type. */
export function asHiddenReplay(hidden: JsonObject | null): HiddenReplay {
  return (hidden ?? {}) as HiddenReplay
}

/** Selection of a replay, and its stored state. */
export interface Selection extends ReplayState {
  readonly id: string
  readonly sought: LogSearch
}

/** Reads what a replay selects. */
export function selectionOf({ id, parent, doc, hidden }: Stored): Selection {
  const instance: JsonObject = JSON.parse(doc)
  const kept: JsonObject | null = hidden === null ? null : JSON.parse(hidden)
  const replay = asReplay(instance)
  const { statuses } = asHiddenReplay(kept)
  const of = { id: parent ?? '', types: replay.types ?? webhooks.fields.types.default }
  return {
    id,
    state: replay.state ?? 'WAITING',
    stateReason: replay.stateReason ?? null,
    sought: {
      ...filterOf(statuses === undefined ? of : { ...of, statuses }),
      from: timeOf(replay.from) ?? 0,
      until: timeOf(replay.until),
      messageIds: replay.messageIds ?? null,
      deadLettersOf: replay.failedOnly === true ? parent : null,
    },
  }
}

function timeOf(text: string | null | undefined): number | null {
  return typeof text === 'string' ? parseTimestamp(text) : null
}

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

/** Returns the live fields of a replay: its result so far and its next attempt. */
export async function replayLive(
  { account, parent, id, hidden }: Stored,
  reader: Reader,
): Promise<JsonObject> {
  const consumer = await reader.findConsumer(account, parent ?? '')
  const progress = consumer === null ? null : readProgress(consumer.progress)
  const replay = progress?.replays.find((each) => each.id === id)
  if (replay !== undefined) {
    return { ...resultOf(replay), nextAttemptAt: timeOrNull(replay.flow.nextAttemptAt) }
  }
  const kept: JsonObject | null = hidden === null ? null : JSON.parse(hidden)
  const { result } = asHiddenReplay(kept)
  return { sent: 0, setAside: 0, reached: null, ...result, nextAttemptAt: null }
}

/** Returns the result of a replay so far. */
export function resultOf({ sent, setAside, reached }: ReplayProgress): JsonObject {
  return { sent, setAside, reached: timeOrNull(reached) }
}

function timeOrNull(instant: number | null): string | null {
  return instant === null ? null : timestamp(instant)
}
