import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventReader } from '../src/event-stream.ts'

function events(pieces: readonly string[], lastEventId = ''): unknown[] {
  const read = eventReader(lastEventId)
  return pieces.flatMap((piece) => read(piece)).map(({ id, data }) => [id, data])
}

describe('an event stream', () => {
  const stream =
    'id: 1\ndata: a\n\n: still here\n\nid:2\r\ndata:b\r\ndata: c\r\n\r\ndata: d\r\rid\n\n'

  it('gives the same events wherever it is cut', () => {
    const whole = events([stream])

    assert.deepEqual(whole, [
      ['1', 'a'],
      ['1', ''],
      ['2', 'b\nc'],
      ['2', 'd'],
      ['', ''],
    ])
    for (let cut = 0; cut <= stream.length; cut += 1) {
      assert.deepEqual(events([stream.slice(0, cut), stream.slice(cut)]), whole)
    }
    assert.deepEqual(events([...stream]), whole)
  })

  it('goes on from the place where another stopped', () => {
    assert.deepEqual(events(['data: a\n\n'], '7'), [['7', 'a']])
  })

  it('gives no event that is not complete', () => {
    assert.deepEqual(events(['id: 1\ndata: a\n']), [])
  })

  it('takes only what ends a line in a stream for the end of one', () => {
    assert.deepEqual(events(['data: a\u2028b\u0085c\n\n']), [['', 'a\u2028b\u0085c']])
  })

  it('passes over fields that it does not know, and places that are none', () => {
    assert.deepEqual(events(['event: x\nretry: 1\nid: 1\0\nnonsense\ndata\n\n'], '7'), [['7', '']])
  })

  it('keeps what stands behind the first space', () => {
    assert.deepEqual(events(['data:  a: b\n\n']), [['', ' a: b']])
  })

  it('is not read on when an event has no end', () => {
    const read = eventReader('')

    assert.throws(() => {
      for (let count = 0; count < 20; count += 1) read('x'.repeat(65_536))
    }, RangeError)
  })

  it('may be as long as it likes, event by event', () => {
    const event = `data: ${'x'.repeat(65_536)}\n\n`

    assert.equal(events(Array(20).fill(event)).length, 20)
  })
})
