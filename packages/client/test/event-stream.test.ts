import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { eventReader } from '../src/notifications/event-stream.ts'

function events(pieces: readonly string[], lastEventId = ''): unknown[] {
  const reader = eventReader(lastEventId)
  return pieces.flatMap((piece) => reader.read(piece)).map(({ id, data }) => [id, data])
}

describe('an event stream', () => {
  const stream =
    'id: 1\ndata: a\n\n: still here\n\nid:2\r\ndata:b\r\ndata: c\r\n\r\ndata: d\r\rid\n\n'

  it('gives the same events at every cut', () => {
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

  it('continues at the position of an earlier one', () => {
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

  it('keeps the rest after the first space', () => {
    assert.deepEqual(events(['data:  a: b\n\n']), [['', ' a: b']])
  })

  it('is not read on when an event has no end', () => {
    const reader = eventReader('')

    assert.throws(() => {
      for (let count = 0; count < 20; count += 1) reader.read('x'.repeat(65_536))
    }, RangeError)
  })

  it('may be as long as it likes, event by event', () => {
    const event = `data: ${'x'.repeat(65_536)}\n\n`

    assert.equal(events(Array(20).fill(event)).length, 20)
  })
})

describe('the examples of the HTML standard', () => {
  const streams: readonly [what: string, text: string, data: readonly string[]][] = [
    ['join lines of data', 'data: YHOO\ndata: +2\ndata: 10\n\n', ['YHOO\n+2\n10']],
    [
      'have a comment, three events and an id that is taken back',
      ': test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n',
      ['', 'first event', 'second event', ' third event'],
    ],
    ['have data without a value, and no end', 'data\n\ndata\ndata\n\ndata:', ['', '\n']],
    ['have one space or none', 'data:test\n\ndata: test\n\n', ['test', 'test']],
    ['end lines in any way', 'data: a\r\ndata: b\rdata: c\n\r', ['a\nb\nc']],
    ['have colons in a value', 'data: {"a":1}\n\n', ['{"a":1}']],
    ['have fields of other names', 'Data: x\ndata : y\nfoo\ndata: a\n\n', ['a']],
    [
      'have events of another type',
      'event: add\ndata: a\n\nevent: message\ndata: b\n\n',
      ['', 'b'],
    ],
  ]
  for (const [what, text, expected] of streams) {
    it(what, () => {
      const events = eventReader('').read(text)

      assert.deepEqual(
        events.map(({ data }) => data),
        expected,
      )
    })
  }

  it('are read the same however they are cut', () => {
    const whole = streams.map(([, text]) => text).join('\n\n')
    const expected = eventReader('').read(whole)

    fc.assert(
      fc.property(fc.array(fc.nat({ max: whole.length }), { maxLength: 40 }), (cuts) => {
        const ends = [0, ...cuts.toSorted((a, b) => a - b), whole.length]
        const reader = eventReader('')

        const events = ends
          .slice(1)
          .flatMap((end, index) => reader.read(whole.slice(ends[index], end)))

        assert.deepEqual(events, expected)
      }),
      { seed: 1 },
    )
  })

  it('ask for a delay, if it is a number', () => {
    const reader = eventReader('')

    const before = reader.retryMs
    reader.read('retry: 2500\n')
    reader.read('retry: soon\nretry: -1\nretry:\n')

    assert.deepEqual([before, reader.retryMs], [null, 2500])
  })
})
