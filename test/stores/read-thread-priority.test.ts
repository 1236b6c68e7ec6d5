import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { describe, it } from 'node:test'
import { accountId } from '../../src/core/account.ts'
import type { Query } from '../../src/core/declaration/query.ts'
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { sampleCollections, things } from '../conformance/sample-collections.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const condition = { path: ['note'], operator: 'like', values: ['*zz*'] } as const
const sort = [{ path: ['id'], direction: 'asc' }] as const
const query: Query = {
  conditions: [condition],
  searchTerms: [],
  sort,
  start: { offset: 0 },
  limit: 3,
}

describe('A thread for expensive reads', { skip: process.platform !== 'linux' }, () => {
  it('has less priority than the main thread', async () => {
    await using directory = await temporaryDirectory()
    await using store = await sqliteStore(directory.file('nuncio.db'), sampleCollections)
    const { signal } = new AbortController()
    const limits = { signal: () => signal, remainingMs: () => 5000, mayBePartial: false }

    await store.page(accountId('ours'), things, null, query, limits)
    const others = readdirSync('/proc/self/task')
      .map(Number)
      .filter((thread) => thread !== process.pid)
      .map(niceOf)

    assert.equal(niceOf(process.pid), getPriority())
    assert.ok(
      others.some((nice) => nice >= 10 && nice > getPriority()),
      others.join(' '),
    )
  })
})

/** Returns the priority of a thread of this process: field 19 of its state, after a name in parentheses. */
function niceOf(thread: number): number {
  const state = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
  return Number(state.slice(state.lastIndexOf(')') + 2).split(' ')[16])
}
