import type { Collection } from '../../../core/declaration/collection.ts'
import { quoted } from '../tables/identifier.ts'
import { tableOf } from '../tables/table.ts'

/** How the rows of a table are taken to another store. */
export interface MovedTable {
  /** Its name as it is; `sql` is the name as it stands in SQL. */
  readonly name: string
  readonly sql: string
  /** Columns that tell the rows apart, in whose order they are moved. */
  readonly order: readonly string[]
  /** Columns that each store counts by itself. */
  readonly counted: readonly string[]
  /** Columns with a place in the notification log, which another store counts otherwise. */
  readonly places: readonly string[]
  /** Columns that hold long texts: they decide how many rows are read at once. */
  readonly long: readonly string[]
  /** Which of its rows, as a condition; null for all. */
  readonly only: string | null
}

/** The log has columns of its own for its places in each store; all else moves as it stands. */
export const logName = 'log'

/** Why the rows of a table are not moved. */
interface Left {
  readonly left: string
}

type Fixed = Partial<Omit<MovedTable, 'name' | 'sql'>> & Pick<MovedTable, 'order'>

/**
 * Every table besides those of the collections, in the order in which they are moved: what names a
 * place in the log comes behind the log. A table that is missing here stops the move.
 */
export const fixedMoves: Readonly<Record<string, Fixed | Left>> = {
  meta: { order: ['name'], only: "name = 'fence'" },
  declarations: { left: 'the tables of the target are made of them' },
  log: { order: ['place'], counted: ['xid', 'place'], long: ['record'] },
  consumers: { order: ['account', 'webhook'], places: ['position'], long: ['progress'] },
  set_aside: { order: ['account', 'webhook', 'position'], places: ['position'] },
  submissions: { order: ['account', 'message'] },
  receipts: { order: ['carrier', 'carrier_message_id'], long: ['detail'] },
  early_receipts: { order: ['place'], counted: ['place'], long: ['detail'] },
  incoming_parts: {
    order: ['carrier', 'sender', 'recipient', 'reference', 'total', 'part'],
    long: ['content'],
  },
  answers: { order: ['place'], counted: ['place'], long: ['answer'] },
  senders: { order: ['address'] },
  credits: { order: ['account'] },
  tallies: { order: ['account', 'subject', 'name'] },
  nodes: { left: 'no node is at work while a store moves' },
  leases: { left: 'nobody holds anything while a store moves' },
  buckets: { left: 'rates begin anew' },
}

/** The tables to move: the fixed ones, and those of collections. */
export function movedTables(collections: readonly Collection[]): readonly MovedTable[] {
  const fixed = Object.entries(fixedMoves).flatMap(([name, move]) =>
    'left' in move ? [] : [{ ...plain, name, sql: quoted(name), ...move }],
  )
  const instances = collections.map((collection) => {
    const { name, sql } = tableOf(collection, null)
    return { ...plain, name, sql, order: ['place'], counted: ['place'], long: texts }
  })
  return [...fixed, ...instances]
}

const plain = { counted: [], places: [], long: [], only: null }

const texts = ['doc', 'hidden', 'search']
