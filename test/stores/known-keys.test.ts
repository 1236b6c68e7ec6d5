import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultAccount } from '../../src/core/account.ts'
import type { KeyRecord } from '../../src/core/ports/store.ts'
import { knownKeys } from '../../src/stores/sqlite/known-keys.ts'

describe('keys that the SQLite store remembers', () => {
  it('are looked up once', async () => {
    const asked: string[] = []
    const keys = knownKeys(async (digest) => {
      asked.push(digest)
      return record('1')
    })

    await keys.find('a')
    const again = await keys.find('a')

    assert.equal(again?.key.revision, '1')
    assert.deepEqual(asked, ['a'])
  })

  it('are forgotten with the first commit that touches keys or accounts, and with no other', async () => {
    let revision = 0
    const keys = knownKeys(async () => record(String((revision += 1))))
    await keys.find('a')

    keys.committed({ changed: new Set(['messages']) })
    const same = await keys.find('a')
    keys.committed({ changed: new Set(['keys']) })
    const other = await keys.find('a')
    keys.committed({ changed: new Set(['accounts']) })
    const third = await keys.find('a')

    assert.deepEqual(
      [same, other, third].map((found) => found?.key.revision),
      ['1', '2', '3'],
    )
  })

  it('are not remembered where a commit fell into the search for them', async () => {
    let answer: (found: KeyRecord) => void = () => {}
    let searches = 0
    const keys = knownKeys(() => {
      searches += 1
      return new Promise((resolve) => (answer = resolve))
    })
    const first = keys.find('a')

    keys.committed({ changed: new Set(['keys']) })
    answer(record('old'))
    await first
    const second = keys.find('a')
    answer(record('new'))

    assert.equal((await second)?.key.revision, 'new')
    assert.equal(searches, 2)
  })

  it('are not remembered where there is none', async () => {
    let searches = 0
    const keys = knownKeys(async () => {
      searches += 1
      return null
    })

    await keys.find('a')
    await keys.find('a')

    assert.equal(searches, 2)
  })
})

function record(revision: string): KeyRecord {
  const key = {
    account: defaultAccount,
    parent: null,
    id: 'key_1',
    doc: '{}',
    hidden: null,
    revision,
  }
  return { key, account: null }
}
