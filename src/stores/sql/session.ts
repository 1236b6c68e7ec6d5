import type { StoredCatalogue } from './tables/catalogue.ts'
import type { SqlConnection } from './connection.ts'
import type { Dialect } from './dialect.ts'
import { everyCell, type Slice } from './tables/slice.ts'

/** Dependencies of reads and writes. */
export interface Session {
  readonly connection: SqlConnection
  readonly catalogue: StoredCatalogue
  readonly dialect: Dialect
  /** The slices of a statement over several accounts; one run covers one slice. */
  readonly slices: readonly Slice[]
}

/** Creates the dependencies over a connection. */
export type MakeSession = (connection: SqlConnection) => Session

/** Returns how sessions over all cells are made, with the present tables. */
export function sessions(
  rest: { readonly tables: StoredCatalogue },
  dialect: Dialect,
): MakeSession {
  return (connection) => ({ connection, catalogue: rest.tables, dialect, slices: everyCell })
}
