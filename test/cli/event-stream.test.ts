import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { eventStreamParser, type StreamEvent } from '../../src/cli/event-stream.ts'

/** Streams with the events in them; most are the examples of the HTML standard, section 9.2.6. */
const streams: readonly [what: string, text: string, events: readonly Partial<StreamEvent>[]][] = [
  ['joins lines of data', 'data: YHOO\ndata: +2\ndata: 10\n\n', [{ data: 'YHOO\n+2\n10' }]],
  [
    'reads a comment, three blocks and an id that is taken back',
    ': test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n',
    [
      { data: 'first event', id: '1' },
      { data: 'second event', id: '' },
      { data: ' third event', id: '' },
    ],
  ],
  [
    'reads data without a value, and leaves out what has no end',
    'data\n\ndata\ndata\n\ndata:',
    [{ data: '' }, { data: '\n' }],
  ],
  [
    'takes at most one space away',
    'data:test\n\ndata: test\n\n',
    [{ data: 'test' }, { data: 'test' }],
  ],
  [
    'keeps the id for the events that follow',
    'id: 7\ndata: a\n\ndata: b\n\n',
    [
      { data: 'a', id: '7' },
      { data: 'b', id: '7' },
    ],
  ],
  [
    'ignores an id with U+0000',
    'id: 7\ndata: a\n\nid: 8\0\ndata: b\n\n',
    [
      { data: 'a', id: '7' },
      { data: 'b', id: '7' },
    ],
  ],
  [
    'reads the type of one event alone',
    'event: add\ndata: a\n\ndata: b\n\n',
    [
      { type: 'add', data: 'a' },
      { type: 'message', data: 'b' },
    ],
  ],
  ['forgets the type of an event without data', 'event: add\n\ndata: a\n\n', [{ type: 'message' }]],
  ['ignores fields that it does not know', 'Data: x\ndata : y\nfoo\ndata: a\n\n', [{ data: 'a' }]],
  ['ends lines with CR LF', 'id: 1\r\ndata: a\r\n\r\n', [{ id: '1', data: 'a' }]],
  ['ends lines with CR', 'id: 1\rdata: a\r\r', [{ id: '1', data: 'a' }]],
  ['ends lines with any mixture', 'data: a\r\ndata: b\rdata: c\n\r', [{ data: 'a\nb\nc' }]],
  ['keeps colons in a value', 'data: {"a":1}\n\n', [{ data: '{"a":1}' }]],
]

describe('the event stream parser', () => {
  for (const [what, text, expected] of streams) {
    it(what, () => {
      const events = eventStreamParser().push(text)

      assert.equal(events.length, expected.length)
      assert.partialDeepStrictEqual(events, expected)
    })
  }

  it('reads the same however the stream is cut', () => {
    const whole = streams.map(([, text]) => text).join('\n\n')
    const expected = eventStreamParser().push(whole)

    fc.assert(
      fc.property(fc.array(fc.nat({ max: whole.length }), { maxLength: 40 }), (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), whole.length]
        const parser = eventStreamParser()

        const events = places.slice(1).flatMap((end, index) => {
          return parser.push(whole.slice(places[index], end))
        })

        assert.deepEqual(events, expected)
      }),
      { seed: 1 },
    )
  })

  it('reads the same character by character', () => {
    const whole = streams.map(([, text]) => text).join('\r\n\r\n')
    const parser = eventStreamParser()

    const events = [...whole].flatMap((character) => parser.push(character))

    assert.deepEqual(events, eventStreamParser().push(whole))
  })

  it('knows where to resume, an event without data included', () => {
    const parser = eventStreamParser('3')

    const before = parser.lastEventId
    parser.push('id: 4\n')
    const within = parser.lastEventId
    parser.push('\n')

    assert.deepEqual([before, within, parser.lastEventId], ['3', '3', '4'])
  })

  it('knows the delay that the stream asks for, if it is a number', () => {
    const parser = eventStreamParser()

    parser.push('retry: 2500\n')
    parser.push('retry: soon\nretry: -1\nretry:\n')

    assert.equal(parser.retryMs, 2500)
  })

  it('refuses an event without end', () => {
    const parser = eventStreamParser()
    const line = `data: ${'x'.repeat(100_000)}\n`

    assert.throws(() => {
      for (let count = 0; count < 12; count += 1) parser.push(line)
    }, RangeError)
    assert.throws(() => eventStreamParser().push('x'.repeat(2_000_000)), RangeError)
  })
})
