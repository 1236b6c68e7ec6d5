import { describe } from 'node:test'
import { speaksOfLists } from '../conformance/lists.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { startOver } from './support/over-stores.ts'

speaksOfLists('The interface', (t) => startOver(t, 'memory'))
speaksOfLists('The interface over SQLite', (t) => startOver(t, 'sqlite'))

describe('with PostgreSQL', { skip: await noPostgres() }, () => {
  speaksOfLists('The interface over PostgreSQL', (t) => startOver(t, 'postgres'))
})
