import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, it } from 'node:test'
import { accounts } from '../../src/collections/accounts.ts'
import { messages } from '../../src/collections/messages.ts'
import { webhooks } from '../../src/collections/webhooks.ts'
import { defaultAccount } from '../../src/core/account.ts'
import { removeBelongings } from '../../src/stores/sql/rows/belongings.ts'
import type { Work } from '../../src/stores/sql/work.ts'
import { sqliteDialect } from '../../src/stores/sqlite/dialect.ts'

/** A transaction whose statements take time, and which counts those that run. */
function slowWork() {
  const seen = { statements: 0, open: 0, openMost: 0 }
  const statement = async (): Promise<void> => {
    seen.statements += 1
    seen.open += 1
    seen.openMost = Math.max(seen.openMost, seen.open)
    await nextTurn()
    seen.open -= 1
  }
  const connection = {
    run: () => statement().then(() => 1),
    first: () => statement().then(() => undefined),
    all: () => statement().then(() => []),
  }
  const catalogue = {
    tables: [{ sql: '"c/contacts"', qualifiedName: 'contacts' }],
    undeclared: ['"c/removed"'],
  }
  const effects = { changed: new Set<string>() }
  const known = new Map()
  const work = { connection, dialect: sqliteDialect, catalogue, effects, known }
  return { work: work as unknown as Work, seen }
}

describe('the removal of an instance', () => {
  for (const [collection, least] of [
    [messages, 2],
    [webhooks, 2],
    [accounts, 10],
  ] as const) {
    it(`of ${collection.name} waits for each of its statements, so that it fails if one does`, async () => {
      const { work, seen } = slowWork()

      await removeBelongings(work, defaultAccount, collection, 'one')

      assert.ok(seen.statements >= least, `there were ${seen.statements} statements`)
      assert.deepEqual([seen.open, seen.openMost], [0, 1])
    })
  }
})
