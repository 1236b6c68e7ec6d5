import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accountId } from '../../src/core/account.ts'
import type { LogPosition } from '../../src/core/ports/notification-log.ts'
import { sqliteLog } from '../../src/stores/sqlite/log.ts'
import { everything } from '../conformance/sample-notifications.ts'

const end = '9' as LogPosition
const sought = { ...everything, from: 0, until: null, messageIds: null, deadLettersOf: null }

describe('a search in the log of a SQLite file', () => {
  it('runs in a thread, for its account', async () => {
    const reaches: unknown[] = []
    const refused = () => assert.fail('it runs on the event loop')
    const log = sqliteLog(
      { read: refused, beforeCommit: refused, close: refused },
      {
        all: async (reach) => {
          reaches.push(reach)
          return []
        },
      },
    )

    const found = await log.search({ account: accountId('a'), after: null, end }, sought, 9)

    assert.deepEqual(found, { entries: [], position: end })
    assert.deepEqual(reaches, ['a', 'a'])
  })
})
