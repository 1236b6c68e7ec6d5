import type { HiddenReplay, Replay } from '../../collections/replays.ts'
import { webhooks } from '../../collections/webhooks.ts'
import type { JsonObject } from '../../core/json.ts'
import type { LogSearch } from '../../core/ports/notification-log.ts'
import type { Stored } from '../../core/ports/store.ts'
import { parseTimestamp } from '../../core/timestamp.ts'
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
