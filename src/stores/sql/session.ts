import type { StoredCatalogue } from './tables/catalogue.ts'
import type { SqlConnection } from './connection.ts'
import type { Dialect } from './dialect.ts'
import type { Slice } from './tables/slice.ts'

/** Dependencies of reads and writes. */
export interface Session {
  readonly connection: SqlConnection
  readonly catalogue: StoredCatalogue
  readonly dialect: Dialect
  /** What statements over several accounts cover, one slice each. */
  readonly slices: readonly Slice[]
}
