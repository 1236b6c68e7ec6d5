import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LogEntry, LogReader } from '../../src/core/notification-log.ts'
import { bodyBytesMax, bodyOf, findBatch, rereadBatch } from '../../src/delivery/batch.ts'
import { position } from './support/position.ts'
import { ours } from './support/world.ts'

const place = { account: ours, after: position('0'), filter: { types: ['SENT'], statuses: [] } }

describe('a batch', () => {
  it('holds as many records as are asked for, in their order', async () => {
    const { entries, isFull } = await findBatch(logOf(500), place, 250)

    assert.equal(isFull, true)
    assert.deepEqual(
      [entries.length, entries[0]?.position, entries.at(-1)?.position],
      [250, '1', '250'],
    )
  })

  it('holds what there is', async () => {
    const { entries, isFull } = await findBatch(logOf(120), place, 250)

    assert.equal(entries.length, 120)
    assert.equal(isFull, false)
  })

  it('is full when its body would be too large, and has one record at least', async () => {
    const half = 'x'.repeat(bodyBytesMax / 2 - 10)

    const two = await findBatch(logOf(10, half), place, 10)
    const one = await findBatch(logOf(10, half + half + half), place, 10)

    assert.deepEqual([two.entries.length, two.isFull], [2, true])
    assert.deepEqual([one.entries.length, one.isFull], [1, true])
    assert.ok(bodyOf(two.entries.map(({ record }) => record)).length <= bodyBytesMax)
  })

  it('counts octets, not characters', async () => {
    const { entries } = await findBatch(logOf(10, 'é'.repeat(bodyBytesMax / 4)), place, 10)

    assert.equal(entries.length, 1)
  })

  it('is read again as it was, unless part of it is gone', async () => {
    const batch = { id: 'batch_1', end: position('150'), count: 150, attempts: 1, refusals: 0 }

    const whole = await rereadBatch(logOf(400), place, batch)
    const trimmed = await rereadBatch(logOf(400, '{}', 2), place, batch)
    const short = await rereadBatch(logOf(149), place, batch)

    assert.equal(whole?.length, 150)
    assert.equal(trimmed, null)
    assert.equal(short, null)
  })

  it('is an array of the records, octet for octet', () => {
    const body = bodyOf(['{"id":"1","creditCost":1.0}', '{ "id":"2" }'])

    assert.equal(Buffer.from(body).toString(), '[{"id":"1","creditCost":1.0},{ "id":"2" }]')
  })
})

/** A log of so many entries, of which those before `first` are gone. */
function logOf(count: number, record = '{}', first = 1): Pick<LogReader, 'read'> {
  const entries = Array.from({ length: count }, (_, index): LogEntry => {
    const at = index + 1
    const named = { account: ours, position: position(String(at)), messageId: `m${at}` }
    return { ...named, type: 'SENT', status: 'DELIVERED', at, record }
  })
  return {
    read: async (_account, after, _filter, limit) =>
      entries.filter(({ at }) => at >= first && at > Number(after)).slice(0, limit),
  }
}
