import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Message } from '../../src/collections/messages.ts'
import {
  noteTransition,
  observingTransitions,
  type Transition,
} from '../../src/gateway/messages/transitions.ts'
import { memoryStore } from '../oracle/memory-store.ts'

const transition: Transition = { message: {} as Message, correlation: null }

describe('The transitions of messages', () => {
  it('are observed once their transaction is committed, and not if it fails', async () => {
    const seen: Transition[] = []
    await using store = observingTransitions(memoryStore([]), (each) => void seen.push(each))

    const failed = store.transact((transaction) => {
      noteTransition(transaction, transition)
      throw new Error('fails')
    })
    await assert.rejects(failed, /fails/)
    assert.deepEqual(seen, [])
    await store.transact((transaction) => noteTransition(transaction, transition))

    assert.deepEqual(seen, [transition])
  })

  it('leave to the store what else its transactions are asked with', async () => {
    const asked: unknown[][] = []
    await using plain = memoryStore([])
    const [shard] = plain.shards()
    const store = observingTransitions(
      { ...plain, transact: async (work, ...how) => (asked.push(how), plain.transact(work)) },
      () => {},
    )

    await store.transact(() => {}, 'TOGETHER', shard)

    assert.ok(shard !== undefined)
    assert.deepEqual(asked, [['TOGETHER', shard]])
  })
})
