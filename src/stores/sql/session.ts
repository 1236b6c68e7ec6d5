import type { StoredCatalogue } from './tables/catalogue.ts'
import type { SqlConnection } from './connection.ts'
import type { Dialect } from './dialect.ts'

/** What a session works with. */
export interface Session {
  readonly connection: SqlConnection
  readonly catalogue: StoredCatalogue
  readonly dialect: Dialect
}
