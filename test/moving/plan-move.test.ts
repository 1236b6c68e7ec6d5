import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { builtIn } from '../../src/collections/built-in.ts'
import { StoreUnavailable } from '../../src/core/ports/store.ts'
import { planMove } from '../../src/stores/sql/moving/plan-move.ts'
import type { StoreEnd } from '../../src/stores/sql/moving/store-end.ts'
import { sqliteDialect } from '../../src/stores/sqlite/dialect.ts'

/** A store with these columns in each table. */
function end(shown: string, columnsOf: (table: string) => readonly string[]): StoreEnd {
  return {
    shown,
    dialect: sqliteDialect,
    columnsOf: async (table: string) => columnsOf(table),
  } as unknown as StoreEnd
}

const both = (): readonly string[] => ['id', 'doc']

describe('the plan of a move', () => {
  it('refuses a source that has got a collection since the move began', async () => {
    const source = end('sqlite:old.db', both)
    const target = end('sqlite:new.db', (table) => (table === 'c/contacts' ? [] : both()))

    await assert.rejects(planMove(source, target, builtIn), (error) => {
      assert.ok(error instanceof StoreUnavailable)
      assert.equal(
        error.message,
        'sqlite:old.db has got other collections since the move into sqlite:new.db began; ' +
          'empty the target, and start the move again',
      )
      return true
    })
  })

  it('refuses a source without a column of this version', async () => {
    const source = end('sqlite:old.db', (table) => (table === 'c/contacts' ? ['id'] : both()))
    const target = end('sqlite:new.db', both)

    await assert.rejects(
      planMove(source, target, builtIn),
      /^StoreUnavailable: the table c\/contacts of sqlite:old\.db has no column doc; start this/,
    )
  })
})
