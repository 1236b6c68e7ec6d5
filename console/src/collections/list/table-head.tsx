import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { shownTitle, type Leaf } from '../columns.ts'

/** The order of a list, and how to change it. */
export interface Sorting {
  readonly sorts: ReadonlySet<string>
  readonly sort: string | null
  readonly onSort: (sort: string | null) => void
}

/** The titles of the columns. A press changes the order. */
export function TableHead(props: Sorting & { readonly leaves: readonly Leaf[] }): ReactNode {
  return (
    <div role="rowgroup" className="table-head">
      <div role="row" className="table-row">
        <div role="columnheader">
          <span className="visually-hidden">Select</span>
        </div>
        {props.leaves.map((leaf) => (
          <Title key={leaf.path} {...props} leaf={leaf} />
        ))}
      </div>
    </div>
  )
}

function Title({ leaf, sorts, sort, onSort }: Sorting & { readonly leaf: Leaf }): ReactNode {
  const { path, field } = leaf
  const isSorted = sort === `${path}_asc` || sort === `${path}_desc`
  const direction = sort?.endsWith('_asc') === true ? 'ascending' : 'descending'
  const className = field.kind === 'integer' || field.kind === 'number' ? 'number' : undefined
  return (
    <div
      role="columnheader"
      title={field.description}
      {...(className === undefined ? {} : { className })}
      {...(isSorted ? { 'aria-sort': direction } : {})}
    >
      {sorts.has(`${path}_asc`) ? (
        <button type="button" onClick={() => onSort(nextSort(path, sort))}>
          {shownTitle(path)}
          {isSorted ? <Icon name={direction === 'ascending' ? 'up' : 'down'} size={12} /> : null}
        </button>
      ) : (
        shownTitle(path)
      )}
    </div>
  )
}

/** A press sorts down, the next one up, and the third restores the usual order. */
function nextSort(path: string, sort: string | null): string | null {
  if (sort === `${path}_desc`) return `${path}_asc`
  return sort === `${path}_asc` ? null : `${path}_desc`
}
