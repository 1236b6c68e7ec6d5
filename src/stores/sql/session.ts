import type { StoredCatalogue } from './tables/catalogue.ts'
import type { SqlConnection } from './connection.ts'
import type { Dialect } from './dialect.ts'
import type { Slice } from './tables/slice.ts'

/** Dependencies of reads and writes. */
export interface Session {
  readonly connection: SqlConnection
  readonly catalogue: StoredCatalogue
  readonly dialect: Dialect
  /** The slices of a statement over several accounts; one run covers one slice. */
  readonly slices: readonly Slice[]
}
