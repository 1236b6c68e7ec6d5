import type { StoredCatalogue } from './tables/catalogue.ts'
import type { Choices } from './lists/choices.ts'
import type { SqlConnection } from './connection.ts'
import type { Dialect } from './dialect.ts'
import type { Effort } from './lists/effort.ts'

/** What a session works with. */
export interface Session {
  readonly connection: SqlConnection
  readonly catalogue: StoredCatalogue
  readonly dialect: Dialect
  readonly effort: Effort
  /** Null where hardly a query is asked twice. */
  readonly choices: Choices | null
  /** Gives others their turn in the middle of a long read; null where nothing may come between. */
  readonly pause: (() => Promise<void>) | null
}
