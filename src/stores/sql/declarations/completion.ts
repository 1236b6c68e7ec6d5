import type { Collection } from '../../../core/declaration/collection.ts'
import type { Log } from '../../../core/ports/log.ts'
import { catalogue, type StoredCatalogue } from '../tables/catalogue.ts'
import { completeRows, rowsInSlice } from './complete-rows.ts'
import type { SecretCipher } from '../../secret-cipher.ts'
import type { SqlConnection } from '../connection.ts'
import { nextTurn } from '../../../core/ports/clock.ts'
import { everyCell } from '../tables/slice.ts'
import type { Unfinished } from './unfinished.ts'
import type { Dialect } from '../dialect.ts'

/** The pace at which rows of earlier declarations are completed. */
export interface CompletionPace {
  /** Number of rows before the store opens; the others follow while it is open. */
  readonly rowsAtStart: number
  /** Awaited before each slice of the others. */
  readonly pause: () => Promise<void>
}

/** At most half a second before the store opens; then each slice lets other work run first. */
export const usualPace: CompletionPace = {
  rowsAtStart: 20_000,
  pause: nextTurn,
}

/** The tables of a store, and the work on rows of earlier declarations. */
export interface Completion {
  /** The present tables. A read that began with earlier ones keeps them. */
  readonly tables: StoredCatalogue
  /**
   * Completes rows in slices, each in a transaction by `transact`, while `goesOn` returns true. It is
   * called before each slice.
   */
  run(transact: Transact, goesOn: (rowsDone: number) => Promise<boolean>): Promise<void>
}

/** Runs work in a separate transaction. */
export type Transact = <T>(work: (connection: SqlConnection) => Promise<T>) => Promise<T>

/** Creates the tables of collections; `unfinished` is the remaining work on their rows. */
export function completion(
  collections: readonly Collection[],
  found: readonly string[],
  unfinished: ReadonlyMap<string, Unfinished>,
  dialect: Dialect,
  log: Log,
  cipher: SecretCipher | null = null,
): Completion {
  const left = new Map(unfinished)
  let tables = catalogue(collections, dialect, found, left, cipher)

  const next = (collection: string, transact: Transact, before: Unfinished) =>
    transact(async (connection) => {
      const table = tables.tables.find((each) => each.qualifiedName === collection)
      if (table === undefined) return null
      return completeRows(
        { connection, catalogue: tables, dialect, slices: everyCell },
        table,
        before,
      )
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
        tables = catalogue(collections, dialect, found, left, cipher)
        log('info', 'completed instances', { collection })
      }
    },
  }
}

/** Completes the remaining rows while the store answers. An interrupted run resumes at the next start. */
export async function completeOnline(
  rest: Completion,
  transact: Transact,
  pause: () => Promise<void>,
  isOpen: () => boolean,
  log: Log,
): Promise<void> {
  const goesOn = async (): Promise<boolean> => {
    await pause()
    return isOpen()
  }
  try {
    await rest.run(transact, goesOn)
  } catch (error) {
    if (isOpen()) log('error', 'completion of instances failed', { error })
  }
}
