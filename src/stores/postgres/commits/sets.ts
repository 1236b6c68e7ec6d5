import type { PoolClient } from 'pg'
import type { SqlParameter } from '../../sql/connection.ts'
import { inSets } from '../../sql/fragment.ts'
import { numberIn, textIn } from '../../sql/rows/row.ts'
import { cellMarkOf, type Prepared, type SetForm, setForm, sliceForm } from './set-form.ts'

/** Names the slice of a cell: what a distributed store keeps together. */
export type SliceName = (cell: number) => string

/** The forms of statements that may run in sets. */
export interface Sets {
  /**
   * Returns the slice that a statement concerns, as a name: sets of different slices are not combined. Returns null if
   * the statement may not run in sets.
   */
  sliceOf(sql: string, params: readonly SqlParameter[]): string | null
  /** Returns the form; null if it is not known yet. */
  of(sql: string): SetForm | null
  /** Asks the server for the types of the parameters, within a transaction. */
  learn(sql: string, client: PoolClient): void
}

/** Remembers the form of each statement. `prepare` names statements; `nameOf` is null where one server has all rows. */
export function sets(prepare: (sql: string) => Prepared, nameOf: SliceName | null): Sets {
  const known = new Map<string, SetForm | null>()
  const formOf = nameOf === null ? setForm : sliceForm
  let probes = 0
  return {
    sliceOf: slices(nameOf),
    of: (sql) => known.get(sql) ?? null,
    learn: (sql, client) => {
      if (known.has(sql)) return
      // One request at a time asks the server.
      known.set(sql, null)
      probes += 1
      const probe = `nuncio_types_${probes}`
      const ask = async (): Promise<void> => {
        const [, found] = await Promise.all([
          client.query(`prepare ${probe} as ${prepare(sql).text}`),
          client.query<unknown[]>({ text: typesOf, values: [probe], rowMode: 'array' }),
          client.query(`deallocate ${probe}`),
        ])
        const types = found.rows.map(([type]) => textIn(type))
        known.set(sql, formOf({ sql, types, prepare }))
      }
      void ask().catch(() => known.delete(sql))
    },
  }
}

/** Allows no sets, and keeps the order of statements. */
export function apart(allowed: Sets): Sets {
  return { ...allowed, of: () => null, learn: () => {} }
}

/** Names the slices of statements, and remembers which parameter is the cell. */
function slices(nameOf: SliceName | null): Sets['sliceOf'] {
  const marks = new Map<string, number | null>()
  const markOf = (sql: string): number | null => {
    const known = marks.get(sql)
    if (known !== undefined) return known
    const found = nameOf === null ? null : cellMarkOf(sql)
    marks.set(sql, found)
    return found
  }
  return (sql, params) => {
    if (!sql.trimStart().startsWith(inSets)) return null
    const mark = markOf(sql)
    return mark === null || nameOf === null ? '' : nameOf(numberIn(params[mark]))
  }
}

const typesOf = `
  select format_type(type, null) from pg_prepared_statements,
    unnest(parameter_types::oid[]) with ordinality as of (type, place)
  where name = $1 order by place`
