import type { Message } from '@nuncio/client'
import type { ReactNode } from 'react'
import { isIntermediate } from '../../api/statuses.ts'
import { Badge, toneOf } from '../../ui/badge.tsx'
import { Panel } from '../../ui/panel.tsx'
import { durationText } from '../../ui/numbers.ts'
import { exactTime, Time } from '../../ui/time.tsx'
import { isFinal } from './message.ts'

/** The statuses of a message in order, with the time between them. */
export function Timeline({ message }: { message: Message }): ReactNode {
  const { history } = message
  const first = history[0]
  const last = history.at(-1)
  const total =
    first === undefined || last === undefined ? 0 : Date.parse(last.date) - Date.parse(first.date)
  return (
    <Panel
      title="Timeline"
      aside={total > 0 ? <span className="muted">{durationText(total)} in all</span> : null}
    >
      <ol className="timeline panel-body">
        {history.map(({ status, date, code }, index) => (
          <li key={`${index} ${status}`} className={toneOf(status)}>
            <div className="row spread">
              <Badge state={status} />
              <span title={exactTime(date)} className="muted">
                {index === 0 ? <Time value={date} /> : gap(history[index - 1]?.date ?? date, date)}
              </span>
            </div>
            {isIntermediate(status) ? <p className="muted">Report on the way</p> : null}
            {code === undefined ? null : <p className="muted">Network code {code}</p>}
          </li>
        ))}
        {isFinal(message) ? null : <li className="idle muted">{expectation(message)}</li>}
      </ol>
    </Panel>
  )
}

function gap(before: string, after: string): string {
  return `+ ${durationText(Math.max(0, Date.parse(after) - Date.parse(before)))}`
}

function expectation({ status, scheduledAt }: Message): ReactNode {
  switch (status.type) {
    case 'SCHEDULED':
      return scheduledAt === null ? 'Waits' : <Time value={scheduledAt} />
    case 'ACCEPTED':
      return 'Waits for its carrier'
    case 'SENT':
      return 'Waits for the delivery receipt'
    default:
      return 'The network has not confirmed the delivery. A late receipt can still change this.'
  }
}
