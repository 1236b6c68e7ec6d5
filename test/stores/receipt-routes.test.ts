import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { accountId } from '../../src/core/account.ts'
import { routeTrims, writeRoute } from '../../src/stores/sql/queues/receipt-routes.ts'
import { fixedTables } from '../../src/stores/sql/tables/fixed-tables.ts'
import { everyCell } from '../../src/stores/sql/tables/slice.ts'
import { sqliteConnection } from '../../src/stores/sqlite/connection.ts'
import { sqliteDialect } from '../../src/stores/sqlite/dialect.ts'

describe('the routes of receipts', () => {
  it('are forgotten from the oldest on, a slice at a time, and none before its time', async () => {
    using database = new DatabaseSync(':memory:')
    for (const table of fixedTables(sqliteDialect)) database.exec(table)
    const connection = sqliteConnection(database, ':memory:')
    for (const isStray of [false, true]) {
      for (const expiresAt of [10, 8, 9, 11]) {
        const part = { account: accountId('a'), carrier: 'c', carrierMessageId: `x${expiresAt}` }
        await writeRoute(connection, { ...part, expiresAt }, isStray)
      }
    }
    const times = () =>
      ['receipt_routes', 'stray_routes'].map((table) =>
        database
          .prepare(`select expires_at from ${table} order by 1`)
          .all()
          .map((row) => row['expires_at']),
      )
    const trims = routeTrims(everyCell)

    for (const trim of trims) await connection.run(trim, [10, 1])
    const afterOne = times()
    for (const trim of trims) await connection.run(trim, [10, 9])

    assert.deepEqual(afterOne, [
      [9, 10, 11],
      [9, 10, 11],
    ])
    assert.deepEqual(times(), [
      [10, 11],
      [10, 11],
    ])
  })
})
