import type { Instant } from '../../core/ports/clock.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts'
import { type LogPosition, parsePosition } from '../../core/ports/notification-log.ts'

/** State of a replay between attempts; stored in its webhook's progress. */
export interface ReplayOf<Flow> {
  readonly id: string
  /** All that it selects up to here is done with. Null: it has not begun. */
  readonly position: LogPosition | null
  /** End of the range. Later records are delivered as new ones. */
  readonly end: LogPosition
  /** Number of acknowledged records. */
  readonly sent: number
  readonly setAside: number
  /** When the last record that it is done with had happened. */
  readonly reached: Instant | null
  /** Progress of its deliveries, apart from those of new records. */
  readonly flow: Flow
}

/** Encodes a replay for the store, without values that equal the initial ones: it is stored often. */
export function replayJson<Flow extends object>(
  { id, position, end, sent, setAside, reached, flow }: ReplayOf<Flow>,
  initial: Flow,
): JsonObject {
  const first = new Map<string, unknown>(Object.entries(initial))
  const changed = Object.entries(flow).filter(([name, value]) => first.get(name) !== value)
  return { id, position, end, sent, setAside, reached, flow: Object.fromEntries(changed) }
}

/** Reads replays back; `readFlow` reads the text of a progress. */
export function readReplays<Flow>(
  value: JsonValue | undefined,
  readFlow: (text: string) => Flow,
): readonly ReplayOf<Flow>[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((kept: JsonValue) => {
    if (!isJsonObject(kept)) return []
    const { id, position, end, sent, setAside, reached, flow = {} } = kept
    const last = typeof end === 'string' ? parsePosition(end) : null
    if (typeof id !== 'string' || last === null) return []
    return {
      id,
      position: typeof position === 'string' ? parsePosition(position) : null,
      end: last,
      sent: typeof sent === 'number' ? sent : 0,
      setAside: typeof setAside === 'number' ? setAside : 0,
      reached: typeof reached === 'number' ? reached : null,
      flow: readFlow(JSON.stringify(flow)),
    }
  })
}
