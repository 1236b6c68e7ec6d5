import { isJsonObject, type JsonObject } from '../core/json.ts'
import { paint } from './paint.ts'
import { printable } from './printable.ts'
import type { ProcessContext } from './process-context.ts'

/** The final statuses, with the exit code of each. */
const ends: Readonly<Record<string, number>> = { DELIVERED: 0, FAILED: 1, UNKNOWN: 1, CANCELLED: 1 }

/** The longest status, `FAILED.UNDELIVERABLE`. */
const statusColumns = 20

/** Returns the exit code of a message's status; null if the status is not final. */
export function exitCodeOf({ status }: JsonObject): number | null {
  return endOf(isJsonObject(status) ? String(status['type']) : '')
}

/**
 * Makes the function that prints a message's new statuses, from its history: several may have
 * followed each other between two reads.
 */
export function statusLines(context: ProcessContext): (message: JsonObject) => void {
  const { faint } = paint(context)
  let shown = 0
  return (message) => {
    const history = historyOf(message)
    for (const { status, date } of history.slice(shown)) {
      const name = paintStatus(status, context, statusColumns)
      context.out.write(`  ${name}  ${faint(printable(date))}\n`)
    }
    shown = Math.max(shown, history.length)
  }
}

/** Returns a status in its colour, padded to a width, without a detail that is the literal null. */
export function paintStatus(
  id: string,
  context: Pick<ProcessContext, 'out' | 'environment'>,
  columns: number,
): string {
  const status = printable(id.replace(/\.null$/, '')).padEnd(columns)
  const end = endOf(/^\w*/.exec(status)?.[0] ?? '')
  const { good, bad } = paint(context)
  if (end === null) return status
  return end === 0 ? good(status) : bad(status)
}

function endOf(type: string): number | null {
  return ends[type] ?? null
}

function historyOf({ history }: JsonObject): readonly { status: string; date: string }[] {
  if (!Array.isArray(history)) return []
  return history
    .filter(isJsonObject)
    .map(({ status, date }) => ({ status: String(status), date: String(date) }))
}
