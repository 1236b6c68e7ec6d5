import { createColumnHelper, useTable, type Row } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, type ReactNode, type RefObject } from 'react'
import type { Instance } from '../../api/client.ts'
import { fieldTitle, rowKey, shownTitle, valueAt, type Leaf } from '../columns.ts'
import { instanceName } from '../instance-name.ts'
import { features, type Selection } from './table-features.ts'
import { TableHead, type Sorting } from './table-head.tsx'
import { TableRow } from './table-row.tsx'
import { Value } from '../value.tsx'

const helper = createColumnHelper<typeof features, Instance>()

/** The height of a row; the styles have the same. */
const rowPixels = 38
/** Rows below the view at which the next page is read. */
const rowsAhead = 20

interface Props extends Sorting {
  readonly label: string
  readonly leaves: readonly Leaf[]
  readonly rows: readonly Instance[]
  readonly selection: Selection
  readonly onSelection: (selection: Selection) => void
  /** The address of an instance below the console; null if it has none. */
  readonly addressOf: (row: Instance) => string | null
  /** Called when the last rows come into view. */
  readonly onEnd: () => void
  readonly foot: ReactNode
}

/** Rows of a collection. Only those in view are in the page. */
export function CollectionTable(props: Props): ReactNode {
  const { label, leaves, addressOf } = props
  const scroller = useRef<HTMLDivElement>(null)
  const { shown, heightPixels } = useShownRows(props, scroller)
  return (
    <div className="table-scroll" ref={scroller} tabIndex={0} role="region" aria-label={label}>
      <div
        role="table"
        aria-label={label}
        aria-rowcount={-1}
        className="table"
        style={widths(leaves)}
      >
        <TableHead {...props} />
        <div role="rowgroup" className="table-rows" style={{ height: heightPixels }}>
          {shown.map(([row, start]) => (
            <TableRow
              key={row.id}
              row={row}
              leaves={leaves}
              isSelected={row.getIsSelected()}
              start={start}
              address={addressOf(row.original)}
            />
          ))}
        </div>
      </div>
      {props.foot}
    </div>
  )
}

interface ShownRows {
  /** The rows in view with their places. */
  readonly shown: readonly (readonly [row: Row<typeof features, Instance>, start: number])[]
  /** The height of all rows. */
  readonly heightPixels: number
}

/** Prepares the rows in view, and asks for further ones before the last comes into view. */
function useShownRows(
  { leaves, rows, selection, onSelection, onEnd }: Props,
  scroller: RefObject<HTMLDivElement | null>,
): ShownRows {
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPixels,
    overscan: 6,
    // Drawing within the event of the scrolling would make one long task of both.
    useFlushSync: false,
  })
  const items = virtual.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  const table = useTable({
    features,
    columns: useMemo(() => columnsOf(leaves), [leaves]),
    // The table prepares each row that it gets: of ten thousand those in view.
    data: useMemo(() => rows.slice(first, last + 1), [rows, first, last]),
    getRowId: rowKey,
    state: { rowSelection: selection },
    onRowSelectionChange: (change) =>
      onSelection(typeof change === 'function' ? change(selection) : change),
  })
  const prepared = table.getRowModel().rows
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - rowsAhead) onEnd()
  }, [last, rows.length, onEnd])
  return {
    shown: items.flatMap(({ index, start }) => {
      const row = prepared[index - first]
      return row === undefined ? [] : [[row, start] as const]
    }),
    heightPixels: virtual.getTotalSize(),
  }
}

function columnsOf(leaves: readonly Leaf[]) {
  return leaves.map(({ path, field, compute }, index) =>
    helper.accessor((row) => (compute === undefined ? valueAt(row, path) : compute(row)), {
      id: path,
      header: shownTitle(path),
      cell: ({ getValue, row }) => {
        const value: unknown = getValue()
        // The first value is the link of the row: a dash would not say where it leads.
        if (index === 0 && (value === null || value === '')) return instanceName(row.original)
        return <Value field={field} value={value} isLink={index > 0} />
      },
    }),
  )
}

/** A custom property, of which React's types know nothing. */
function widths(leaves: readonly Leaf[]): Readonly<Record<`--${string}`, string>> {
  return { '--columns': leaves.map(widthOf).join(' ') }
}

function widthOf({ path, field }: Leaf): string {
  if (path === 'id') return 'minmax(150px, 1fr)'
  if (path === 'outcome' || path.startsWith('status.')) return '192px'
  // A title of these letters, and the arrow of the order.
  const titlePixels = fieldTitle(path).length * 8 + 36
  switch (field.kind) {
    case 'time':
      return `${Math.max(120, titlePixels)}px`
    case 'boolean':
    case 'integer':
    case 'number':
      return `${Math.max(80, titlePixels)}px`
    case 'choice':
      return '150px'
    default:
      return /^(body|description|url|resource|stateReason|error)$/.test(path)
        ? 'minmax(220px, 3fr)'
        : 'minmax(160px, 1.4fr)'
  }
}
