import type { Collection } from '../../../core/declaration/collection.ts'
import type { Log } from '../../../core/ports/log.ts'
import { catalogue, type StoredCatalogue } from '../tables/catalogue.ts'
import { completeRows, rowsInSlice } from './complete-rows.ts'
import type { SqlConnection } from '../connection.ts'
import { nextTurn } from '../queues/next-turn.ts'
import type { Unfinished } from './unfinished.ts'
import type { Dialect } from '../dialect.ts'

/** How fast rows of earlier declarations are seen to. */
export interface CompletionPace {
  /** So many before the store answers; the others while it does. */
  readonly rowsAtStart: number
  /** Awaited before each slice of the others. */
  readonly pause: () => Promise<void>
}

/** Half a second at most before the store answers; then everything else has a turn before each slice. */
export const usualPace: CompletionPace = {
  rowsAtStart: 20_000,
  pause: nextTurn,
}

/** The tables of a store, and the work on rows of earlier declarations. */
export interface Completion {
  /** As they are now. Whoever began to read with others goes on with those. */
  readonly tables: StoredCatalogue
  /**
   * Sees to rows, slice by slice, each in a transaction that `transact` runs, for as long as `goesOn`
   * says yes. It is asked before each slice.
   */
  run(transact: Transact, goesOn: (rowsDone: number) => Promise<boolean>): Promise<void>
}

/** Runs work in a transaction of its own. */
export type Transact = <T>(work: (connection: SqlConnection) => Promise<T>) => Promise<T>

/** Makes the tables of collections, of which `unfinished` says what is left to do. */
export function completion(
  collections: readonly Collection[],
  found: readonly string[],
  unfinished: ReadonlyMap<string, Unfinished>,
  dialect: Dialect,
  log: Log,
): Completion {
  const left = new Map(unfinished)
  let tables = catalogue(collections, found, left)

  const next = (collection: string, transact: Transact, before: Unfinished) =>
    transact(async (connection) => {
      const table = tables.tables.find((each) => each.qualifiedName === collection)
      if (table === undefined) return null
      return completeRows({ connection, catalogue: tables, dialect }, table, before)
    })
  return {
    get tables() {
      return tables
    },
    run: async (transact, goesOn) => {
      let rows = 0
      for (const [collection, unfinished] of left) {
        for (let rest: Unfinished | null = unfinished; rest !== null; rows += rowsInSlice) {
          if (!(await goesOn(rows))) return
          if (rest === unfinished) log('info', 'completing instances', { collection })
          rest = await next(collection, transact, rest)
          if (rest === null) left.delete(collection)
          else left.set(collection, rest)
        }
        tables = catalogue(collections, found, left)
        log('info', 'completed instances', { collection })
      }
    },
  }
}
