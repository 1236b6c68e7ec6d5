import { conforms } from '../conformance/store.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { openPostgres } from '../support/postgres/open-store.ts'

conforms('PostgreSQL', openPostgres, {
  skip: await noPostgres(),
  sideBySide: 'transactions run side by side here, and are run again where they meet',
})
