import type { NotificationRecord } from '@nuncio/client'
import { isJsonObject, type JsonObject } from '../core/json.ts'
import { timestamp } from '../core/timestamp.ts'
import type { ForwardOutcome } from './commands/forward.ts'
import { paint, printable } from './printable.ts'
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

/** Columns of the usual statuses. The few longer ones move the rest of their line. */
const usualStatusColumns = 9

/** Below this width, a cut text would say nothing. */
const textColumnsMin = 12

/**
 * Returns one line for a record: time of submission, status, addresses, the receiver's response, and
 * the text, which is cut to the width of a terminal.
 */
export function notificationLine(
  record: Partial<NotificationRecord>,
  outcome: ForwardOutcome | null,
  context: Pick<ProcessContext, 'out' | 'environment' | 'clock'>,
): string {
  const { out, clock } = context
  const { status, from, to, body, submission } = record
  const date = printable(submission?.date ?? timestamp(clock.now()))
  // The date matters in a file, which is read later.
  const time = out.terminal ? date.slice('2026-01-01T'.length, -'.000Z'.length) : date
  const id = status?.id ?? ''
  const addresses = printable(`${from ?? ''} → ${to ?? ''}`)
  const result = outcome === null ? [] : [outcomeText(outcome)]
  const before = [time, id.replace(/\.null$/, '').padEnd(usualStatusColumns), addresses, ...result]
  const used = before.join('  ').length + 2

  const { faint, good, bad } = paint(context)
  const dye = outcome !== null && isAccepted(outcome) ? good : bad
  const cells = [
    faint(time),
    paintStatus(id, context, usualStatusColumns),
    addresses,
    ...result.map(dye),
    shortened(printable(body ?? ''), (out.columns ?? Infinity) - used),
  ]
  return `${cells.join('  ').trimEnd()}\n`
}

function shortened(text: string, columns: number): string {
  const width = Math.max(columns, textColumnsMin)
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`
}

function isAccepted(outcome: ForwardOutcome): boolean {
  return outcome.kind === 'ANSWERED' && outcome.status >= 200 && outcome.status < 300
}

function outcomeText(outcome: ForwardOutcome): string {
  if (outcome.kind === 'UNREACHABLE') return `unreachable (${outcome.reason})`
  return `${isAccepted(outcome) ? 'accepted' : 'refused'} (${outcome.status})`
}
