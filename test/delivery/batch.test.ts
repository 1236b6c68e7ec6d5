import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LogEntry, LogReader } from '../../src/core/ports/notification-log.ts'
import { bodyOf } from '../../src/delivery/attempts/attempt.ts'
import {
  bodyBytesMax,
  findBatches,
  rereadBatches,
  type FoundBatch,
} from '../../src/delivery/attempts/plan-next.ts'
import { receiver, secretFrom, secretKey, sign } from '@nuncio/receiver'
import { position } from './support/position.ts'
import { ours } from './support/world.ts'

const place = { account: ours, after: position('0'), filter: { types: ['SENT'], statuses: [] } }

const none = { entries: [], isFull: false }

describe('a batch', () => {
  it('holds as many records as are asked for, in their order', async () => {
    const [{ entries, isFull } = none, ...others] = await findBatches(logOf(500), place, 250, 1)

    assert.deepEqual(others, [])
    assert.equal(isFull, true)
    assert.deepEqual(
      [entries.length, entries[0]?.position, entries.at(-1)?.position],
      [250, '1', '250'],
    )
  })

  it('holds what there is', async () => {
    const [{ entries, isFull } = none] = await findBatches(logOf(120), place, 250, 8)

    assert.equal(entries.length, 120)
    assert.equal(isFull, false)
  })

  it('is full when its body would be too large, and has one record at least', async () => {
    const half = 'x'.repeat(bodyBytesMax / 2 - 10)

    const [two = none] = await findBatches(logOf(10, half), place, 10, 1)
    const [one = none] = await findBatches(logOf(10, half + half + half), place, 10, 1)

    assert.deepEqual([two.entries.length, two.isFull], [2, true])
    assert.deepEqual([one.entries.length, one.isFull], [1, true])
    assert.ok(bodyOf(two.entries.map(({ record }) => record)).length <= bodyBytesMax)
  })

  it('is taken by the receiver kit as it comes', async () => {
    const [{ entries } = none] = await findBatches(logOf(6, 'x'.repeat(1_000_000)), place, 10, 1)
    const body = bodyOf(
      entries.map(({ record }) => JSON.stringify({ id: 'm', type: 'OTHER', body: record })),
    )
    const secret = secretFrom(new Uint8Array(32))
    const timestamp = 1_800_000_000
    const receive = receiver({
      secrets: secret,
      clock: { now: () => timestamp * 1000, after: () => () => {} },
    })
    const signature = sign(secretKey(secret), { id: 'batch_1', timestamp, body })
    const headers = {
      'content-type': 'application/json',
      'webhook-id': 'batch_1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature,
    }

    const answer = await receive(new Request('https://w.test/', { method: 'POST', headers, body }))

    assert.equal(answer.status, 204)
    assert.ok(body.length > 4.5 * 1024 * 1024, `${body.length} octets`)
  })

  it('counts octets, not characters', async () => {
    const long = logOf(10, 'é'.repeat(bodyBytesMax / 4))

    const [{ entries } = none] = await findBatches(long, place, 10, 1)

    assert.equal(entries.length, 1)
  })

  it('is followed by others that are full, one behind the other', async () => {
    const three = await findBatches(logOf(35), place, 10, 8)
    const two = await findBatches(logOf(35), place, 10, 2)
    const single = await findBatches(logOf(35), place, 1, 20)

    assert.deepEqual(three.map(placesOf), [
      ['1', '10'],
      ['11', '20'],
      ['21', '30'],
    ])
    assert.ok(three.every(({ isFull }) => isFull))
    assert.equal(two.length, 2)
    assert.deepEqual(
      single.map(({ entries }) => entries[0]?.position),
      Array.from({ length: 20 }, (_, index) => String(index + 1)),
    )
  })

  it('is followed by no more than memory has room for', async () => {
    const long = logOf(300, 'x'.repeat(100 * 1024))

    const found = await findBatches(long, place, 1, 200)

    assert.ok(found.length > 1 && found.length < 10, `${found.length} batches of 100 KiB`)
  })

  it('is read again as it was, with those planned behind it, as far as the log holds them', async () => {
    const planned = [150, 10, 40].map((count, index) => ({
      id: `batch_${index}`,
      end: position(['150', '160', '200'][index] ?? ''),
      count,
    }))

    const whole = await rereadBatches(logOf(400), place, planned)
    const trimmed = await rereadBatches(logOf(400, '{}', 2), place, planned)
    const short = await rereadBatches(logOf(165), place, planned)

    assert.deepEqual(
      whole.map((entries) => [entries.length, entries.at(-1)?.position]),
      [
        [150, '150'],
        [10, '160'],
        [40, '200'],
      ],
    )
    assert.deepEqual(trimmed, [])
    assert.equal(short.length, 2)
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

function placesOf({ entries }: FoundBatch): readonly (string | undefined)[] {
  return [entries[0]?.position, entries.at(-1)?.position]
}
