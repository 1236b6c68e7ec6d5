import type { StoredCatalogue } from './tables/catalogue.ts'
import type { SqlConnection } from './connection.ts'
import type { Dialect } from './dialect.ts'

/** Dependencies of reads and writes. */
export interface Session {
  readonly connection: SqlConnection
  readonly catalogue: StoredCatalogue
  readonly dialect: Dialect
}
