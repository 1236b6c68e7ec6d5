import { Link } from '@tanstack/react-router'
import { FlexRender, type Row } from '@tanstack/react-table'
import { memo, type KeyboardEvent, type ReactNode } from 'react'
import type { Instance } from '../../api/client.ts'
import type { Leaf } from '../columns.ts'
import type { features } from './table-features.ts'

interface Props {
  readonly row: Row<typeof features, Instance>
  readonly leaves: readonly Leaf[]
  readonly isSelected: boolean
  readonly start: number
  /** The address of the instance below the console; null if it has none. */
  readonly address: string | null
}

/** A row. While one scrolls, only rows that come into view are drawn. */
export const TableRow = memo(ShownRow, isSame)

/** The table makes all its rows anew when others come into view. */
function isSame({ row, ...one }: Props, other: Props): boolean {
  return (
    row.original === other.row.original &&
    one.leaves === other.leaves &&
    one.isSelected === other.isSelected &&
    one.start === other.start &&
    one.address === other.address
  )
}

/** Its first value links to the instance; the link covers the row. */
function ShownRow({ row, isSelected, start, address }: Props): ReactNode {
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
