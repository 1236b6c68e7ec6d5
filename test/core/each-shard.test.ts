import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eachShard } from '../../src/core/each-shard.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { type Shard, shardNamed, wholeStore } from '../../src/core/shard.ts'
import { virtualClock } from '../support/virtual-clock.ts'

const [one, two, three] = [shardNamed('one'), shardNamed('two'), shardNamed('three')]

/** A store of which a test uses the list of shards alone. */
function storeOn(shards: readonly Shard[]): Store {
  return { shards: () => shards } as unknown as Store
}

describe('the work of a store with several shards', () => {
  it('begins on a shard that a rebalance adds, once, and ends there with the others', async () => {
    const clock = virtualClock()
    const shards: Shard[] = [one]
    const each = eachShard(storeOn(shards), clock, (_store, shard) => shard)

    shards.push(two)
    const atFirst = each.all()
    await clock.advance(10_000)
    const later = each.all()
    const ended = each.end()
    shards.push(three)
    await clock.advance(10_000)

    assert.deepEqual([atFirst, later, ended], [[one], [one, two], [one, two]])
    assert.deepEqual(each.all(), [one, two])
  })

  it('looks for no others where the store is one shard', async () => {
    const clock = virtualClock()
    const shards: Shard[] = [wholeStore]
    const each = eachShard(storeOn(shards), clock, (_store, shard) => shard)

    shards.push(two)
    await clock.advance(10_000)

    assert.deepEqual(each.all(), [wholeStore])
  })
})
