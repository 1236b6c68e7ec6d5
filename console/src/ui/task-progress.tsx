import type { ReactNode } from 'react'
import { ProgressBar } from 'react-aria-components'
import { numberText } from './numbers.ts'

interface Props {
  readonly label: string
  readonly done: number
  readonly all: number
}

/** How far a long task is, as a bar and in numbers. */
export function TaskProgress({ label, done, all }: Props): ReactNode {
  return (
    <div className="stack tight">
      <ProgressBar aria-label={label} value={done} maxValue={Math.max(1, all)} className="progress">
        {({ percentage = 0 }) => <div style={{ width: `${percentage}%` }} />}
      </ProgressBar>
      <p className="muted">
        {label}: {numberText(done)} of {numberText(all)}
      </p>
    </div>
  )
}
