import { useState, type ReactNode } from 'react'
import type { CollectionDescription } from '../../api/collection.ts'
import { explain } from '../../api/problem.ts'
import { useAllAccounts } from '../../api/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, FaultNotice, Skeleton } from '../../ui/notice.tsx'
import { numberText } from '../../ui/numbers.ts'
import { leavesOf, listColumns, rowKey, type Leaf } from '../columns.ts'
import { formatParameters, listRequest, writeListState, type ListState } from './list-state.ts'
import type { View } from './saved-views.ts'
import { SelectionBar } from './selection-bar.tsx'
import { ListTools } from './list-tools.tsx'
import { CollectionTable } from './table.tsx'
import type { Selection } from './table-features.ts'
import { useListState } from './use-list-state.ts'
import { useRows, type Rows } from './use-rows.ts'
import { Views } from './views.tsx'

interface Props {
  readonly collection: CollectionDescription
  /** The collection with the identifiers of its parents: `['groups', id, 'contacts']`. */
  readonly path: readonly string[]
  /** Columns that are shown unless the user chooses. */
  readonly columns?: readonly string[]
  /** Columns besides the fields. */
  readonly computed?: readonly Leaf[]
  /** Views that most people need. */
  readonly views?: readonly View[]
  /** How often the rows are read again; absent: never. */
  readonly pollMs?: number
  /** Shown if the collection is empty. */
  readonly empty: ReactNode
  /** Shown above the rows, such as a notice of new ones. */
  readonly notice?: (rows: Rows, state: ListState, isPaused: boolean) => ReactNode
}

/** A list of any collection: filters, columns, order, rows without end. */
export function CollectionList(props: Props): ReactNode {
  const { collection, path, notice, computed = [] } = props
  const [state, setState] = useListState(collection)
  const [isStopped, setStopped] = useState(false)
  const isLive = notice !== undefined || props.pollMs !== undefined
  const all = [...computed, ...leavesOf(collection.fields)]
  const names = state.columns ?? props.columns ?? listColumns(collection, useAllAccounts())
  return (
    <div className="list">
      <Views path={path.join('/')} usual={props.views ?? []} query={queryOf(state)} />
      <ListTools
        collection={collection}
        path={path}
        state={state}
        onState={setState}
        leaves={all}
        columns={names}
        isStopped={isStopped}
        onStopped={isLive ? setStopped : undefined}
      />
      <ListRows
        {...props}
        state={state}
        onState={setState}
        leaves={names.flatMap((name) => all.find((leaf: Leaf) => leaf.path === name) ?? [])}
        isStopped={isStopped}
      />
    </div>
  )
}

interface RowsProps extends Props {
  readonly state: ListState
  readonly onState: (state: ListState) => void
  /** The columns that are shown. */
  readonly leaves: readonly Leaf[]
  readonly isStopped: boolean
}

/** The rows of a list and their selection. Each page that is read draws this part alone, not the tools. */
function ListRows(props: RowsProps): ReactNode {
  const { collection, path, state, onState, leaves } = props
  const [selection, setSelection] = useState<Selection>({})
  const isSelecting = Object.keys(selection).length > 0
  const isPaused = props.isStopped || isSelecting
  const rows = useRows(path, listRequest(state), isPaused ? undefined : props.pollMs)
  const selected = isSelecting ? rows.rows.filter((row) => rowKey(row) in selection) : []
  const hasInstances = collection.scopes.get !== undefined
  return (
    <>
      <SelectionBar
        collection={collection}
        path={path}
        rows={selected}
        onClear={() => setSelection({})}
      />
      {props.notice?.(rows, state, isPaused)}
      <ListBody rows={rows} state={state} empty={props.empty}>
        <CollectionTable
          label={collection.description || collection.name}
          leaves={leaves}
          rows={rows.rows}
          sorts={collection.sorts}
          sort={state.sort}
          onSort={(sort) => onState({ ...state, sort })}
          selection={selection}
          onSelection={setSelection}
          addressOf={({ id }) => (hasInstances ? [...path, id].join('/') : null)}
          onEnd={rows.readOn}
          foot={<ListFoot {...rows} />}
        />
      </ListBody>
    </>
  )
}

/** Returns the address of what a list shows, after the question mark. */
function queryOf(state: ListState): string {
  return formatParameters({ ...writeListState(state) })
}

interface BodyProps {
  readonly rows: Rows
  readonly state: ListState
  readonly empty: ReactNode
  readonly children: ReactNode
}

function ListBody({ rows, state, empty, children }: BodyProps): ReactNode {
  if (rows.error !== null && rows.rows.length === 0) {
    return (
      <FaultNotice {...explain(rows.error)}>
        <div>
          <Button icon="refresh" onPress={rows.retry}>
            Retry
          </Button>
        </div>
      </FaultNotice>
    )
  }
  if (rows.isPending) {
    return (
      <div className="panel panel-body">
        <Skeleton lines={12} />
      </div>
    )
  }
  if (rows.rows.length > 0 || rows.hasMore) return children
  if (state.filters.length === 0 && state.search === '') return empty
  return (
    <Empty icon="search" title="No match">
      Nothing fulfils all conditions. Remove one above.
    </Empty>
  )
}

function ListFoot({ rows, isPartial, isReading, hasMore, readMore, error }: Rows): ReactNode {
  const count = `${numberText(rows.length)} shown`
  return (
    <div className="list-foot">
      {error === null ? null : <FaultNotice {...explain(error)} />}
      {isReading && hasMore ? <span className="muted">Reading…</span> : null}
      {isPartial && !isReading ? (
        <>
          <span className="muted">{count}. The search took long and stopped here.</span>
          <Button small icon="search" onPress={readMore}>
            Search further back
          </Button>
        </>
      ) : null}
      {hasMore ? null : <span className="muted">{count}. This is the end.</span>}
    </div>
  )
}
