import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { broadcasts } from '../../src/collections/broadcasts.ts'
import { qualifiedName } from '../../src/core/declaration/collection.ts'
import { startBroadcasts } from './support/broadcast-api.ts'

describe('a broadcast over a slow store', () => {
  it('commits often, so that the credits of its account are held for a short time, and misses nobody', async (t) => {
    const api = await startBroadcasts(t, 'memory')
    const addresses = Array.from({ length: 30 }, (_, at) => `+49151${1_000_000 + at}`)
    let commits = 0
    api.store.onCommit(({ changed }) => {
      if (changed.has(qualifiedName(broadcasts))) commits += 1
    })
    const { monotonic } = api.clock
    let leaps = 0
    t.mock.method(api.clock, 'monotonic', () => monotonic() + (leaps += 1) * 100)

    const { id } = await api.broadcast({ to: { addresses }, body: 'Hello' })
    const done = await api.until(id, ({ state }) => state === 'DONE')

    assert.deepEqual([done.recipients.seen, done.recipients.messages], [30, 30])
    assert.equal(new Set((await api.messagesOf(id)).map(({ to }) => to)).size, 30)
    assert.ok(commits >= 10, `there were ${commits} commits`)
  })
})
