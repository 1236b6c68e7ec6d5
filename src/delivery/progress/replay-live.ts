import type { JsonObject } from '../../core/json.ts'
import type { Reader, Stored } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import { readProgress, type ReplayProgress } from './progress.ts'
import { asHiddenReplay } from './stored-replay.ts'

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
