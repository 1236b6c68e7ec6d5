import { describe } from 'node:test'
import { speaksOfInstances } from '../conformance/instances.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { startOver } from './support/over-stores.ts'

speaksOfInstances('The interface', (t) => startOver(t, 'memory'))
speaksOfInstances('The interface over SQLite', (t) => startOver(t, 'sqlite'))

describe('with PostgreSQL', { skip: await noPostgres() }, () => {
  speaksOfInstances('The interface over PostgreSQL', (t) => startOver(t, 'postgres'))
})
