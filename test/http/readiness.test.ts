import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StoreUnavailable } from '../../src/core/ports/store.ts'
import { shardNamed } from '../../src/core/shard.ts'
import { processState } from '../../src/http/pages/readiness.ts'
import { memoryStore } from '../oracle/memory-store.ts'
import { virtualClock } from '../support/virtual-clock.ts'

function readyWith(fault: Error, servers: readonly string[] = ['']) {
  const store = memoryStore([])
  const log = { ...store.log, end: () => Promise.reject(fault) }
  const shards = () => servers.map(shardNamed)
  const state = processState({ ...store, log, shards }, virtualClock())
  state.become('ready')
  return state.readiness()
}

describe('The readiness of a process', () => {
  it('ends with its store', async () => {
    const fault = new StoreUnavailable('connection refused')

    assert.equal(await readyWith(fault), 'store unreachable')
  })

  it('lasts while one of several servers is away: the others are served', async () => {
    const fault = new StoreUnavailable('connection refused', { isInPart: true })

    assert.equal(await readyWith(fault, ['worker1', 'worker2']), 'ready')
  })

  it('ends with the only server behind a proxy', async () => {
    const fault = new StoreUnavailable('connection refused', { isInPart: true })

    assert.equal(await readyWith(fault), 'store unreachable')
  })
})
