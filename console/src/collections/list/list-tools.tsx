import type { ReactNode } from 'react'
import type { CollectionDescription } from '../../api/collection.ts'
import type { Leaf } from '../columns.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { ExportButton } from './export-button.tsx'
import { FilterBar } from './filter-bar.tsx'
import { formatParameters, writeListState, type ListState } from './list-state.ts'
import { PauseButton } from './pause-button.tsx'
import { SaveView } from './save-view.tsx'

interface Props {
  readonly collection: CollectionDescription
  readonly path: readonly string[]
  readonly state: ListState
  readonly onState: (state: ListState) => void
  /** The columns to choose from. */
  readonly leaves: readonly Leaf[]
  /** The columns that are shown. */
  readonly columns: readonly string[]
  readonly isStopped: boolean
  /** Undefined if the list is not live. */
  readonly onStopped: ((isStopped: boolean) => void) | undefined
}

/** Changes what a list shows. */
export function ListTools(props: Props): ReactNode {
  const { collection, path, state, onState, columns, isStopped, onStopped } = props
  const query = formatParameters({ ...writeListState(state) })
  return (
    <div className="list-tools">
      <FilterBar collection={collection} state={state} onChange={onState}>
        <SaveView path={path.join('/')} query={query} />
      </FilterBar>
      <ColumnsMenu
        leaves={props.leaves}
        shown={columns}
        onChange={(columns) => onState({ ...state, columns })}
      />
      {onStopped === undefined ? null : <PauseButton isPaused={isStopped} onChange={onStopped} />}
      <ExportButton path={path} state={state} />
    </div>
  )
}
