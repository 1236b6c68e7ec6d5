import { Link } from '@tanstack/react-router'
import { FlexRender, type Row } from '@tanstack/react-table'
import type { KeyboardEvent, ReactNode } from 'react'
import type { Instance } from '../../api/client.ts'
import type { features } from './table-features.ts'

interface Props {
  readonly row: Row<typeof features, Instance>
  readonly start: number
  readonly addressOf: (row: Instance) => string | null
}

/** A row. Its first value links to the instance; the link covers the row. */
export function TableRow({ row, start, addressOf }: Props): ReactNode {
  const isSelected = row.getIsSelected()
  const address = addressOf(row.original)
  return (
    <div
      role="row"
      aria-selected={isSelected}
      className={isSelected ? 'table-row selected' : 'table-row'}
      style={{ transform: `translateY(${start}px)` }}
      onKeyDown={moveFocus}
    >
      <div role="cell" className="select-cell">
        <input
          type="checkbox"
          aria-label={`Select ${row.id}`}
          checked={isSelected}
          onChange={row.getToggleSelectedHandler()}
        />
      </div>
      {row.getAllCells().map((cell, index) => {
        const isNumber = typeof cell.getValue() === 'number'
        return (
          <div key={cell.id} role="cell" {...(isNumber ? { className: 'number' } : {})}>
            {index > 0 || address === null ? (
              <FlexRender cell={cell} />
            ) : (
              <Link to={`/${address}`} className="row-link">
                <FlexRender cell={cell} />
              </Link>
            )}
          </div>
        )
      })}
    </div>
  )
}

/** The arrow keys move between rows, as in a list of mail. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget } = event
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return
  const next =
    key === 'ArrowDown' ? currentTarget.nextElementSibling : currentTarget.previousElementSibling
  next?.querySelector<HTMLElement>('.row-link')?.focus()
  event.preventDefault()
}
