import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mayFollow } from '../../src/core/declaration/collection.ts'
import { messageStates } from '../../src/collections/messages.ts'
import { advance } from '../../src/gateway/messages/stored-message.ts'
import { aMessage, openWorld } from './support/world.ts'
import fc from 'fast-check'

const start = Date.UTC(2026, 0, 1)

async function accepted() {
  await using world = await openWorld()
  return world.post(aMessage())
}

describe('a step of a message', () => {
  it('changes status, history and updatedAt, and nothing else', async () => {
    const before = await accepted()

    const after = advance(before, { type: 'FAILED', detail: 'EXPIRED' }, start + 1)

    assert.deepEqual(after, {
      ...before,
      status: { id: 'FAILED.EXPIRED', type: 'FAILED' },
      history: [...before.history, { status: 'FAILED.EXPIRED', date: '2026-01-01T00:00:00.001Z' }],
      updatedAt: '2026-01-01T00:00:00.001Z',
    })
    assert.deepEqual(Object.keys(after ?? {}), Object.keys(before))
  })

  it('writes a missing detail as null', async () => {
    const after = advance(await accepted(), { type: 'SENT', detail: null }, start)

    assert.equal(after?.status.id, 'SENT.null')
  })

  it('is dated no earlier than the one before, whatever the clock says', async () => {
    const before = await accepted()

    const after = advance(before, { type: 'SENT', detail: null }, start - 60_000)

    assert.equal(after?.updatedAt, before.updatedAt)
    assert.equal(after?.history.at(-1)?.date, before.updatedAt)
  })

  it('is taken if the table has it, and ignored if not', async () => {
    const first = await accepted()
    const types = fc.constantFrom(...messageStates.states)

    fc.assert(
      fc.property(types, types, (from, to) => {
        const before = { ...first, status: { id: `${from}.null`, type: from } }

        const after = advance(before, { type: to, detail: null }, start)

        assert.equal(after !== null, mayFollow(messageStates, from, to))
      }),
    )
  })
})
