import type { NotificationRecord } from '@nuncio/client'
import { timestamp } from '../core/timestamp.ts'
import type { ForwardOutcome } from './commands/forward.ts'
import { paint } from './paint.ts'
import { printable } from './printable.ts'
import type { ProcessContext } from './process-context.ts'
import { paintStatus } from './status-lines.ts'

/** Columns of the usual statuses. The few longer ones move the rest of their line. */
const statusColumns = 9

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
  const before = [time, id.replace(/\.null$/, '').padEnd(statusColumns), addresses, ...result]
  const used = before.join('  ').length + 2

  const { faint, good, bad } = paint(context)
  const dye = outcome !== null && isAccepted(outcome) ? good : bad
  const cells = [
    faint(time),
    paintStatus(id, context, statusColumns),
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
