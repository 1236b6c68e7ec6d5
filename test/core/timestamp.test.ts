import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseTimestamp, timestamp } from '../../src/core/timestamp.ts'

describe('a timestamp', () => {
  it('is read back as it was written', () => {
    const instants = fc.integer({ min: Date.UTC(1000, 0, 1), max: Date.UTC(9999, 11, 31) })
    fc.assert(fc.property(instants, (at) => assert.equal(parseTimestamp(timestamp(at)), at)))
  })

  it('is written as the runtime writes it, whatever was written before', () => {
    const instants = fc.array(fc.integer({ min: -1e13, max: 1e13 }), { minLength: 2 })
    fc.assert(
      fc.property(instants, (many) => {
        const near = many.flatMap((at) => [at, at + 1, at + 999, at])
        const wanted = near.map((at) => new Date(at).toISOString())
        assert.deepEqual(near.map(timestamp), wanted)
      }),
    )
  })

  const read: [text: string, utc: string][] = [
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31t12:00:00z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31 12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00.000Z'],
    ['2026-01-01T00:30:00+05:45', '2025-12-31T18:45:00.000Z'],
    ['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00.000Z'],
    ['2026-01-31T12:00:00.1Z', '2026-01-31T12:00:00.100Z'],
    ['2026-01-31T12:00:00.123999999Z', '2026-01-31T12:00:00.123Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
  ]
  for (const [text, utc] of read) {
    it(`${text} is ${utc}`, () => {
      assert.equal(timestamp(parseTimestamp(text) ?? 0), utc)
    })
  }

  const refused = [
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T12:60:00Z',
    '2016-12-31T23:59:60Z',
    '2026-01-31T12:00:00+24:00',
    '2026-01-31T12:00:00',
    '2026-01-31',
    '9999-12-31T23:59:59-01:00',
    '0000-01-01T00:00:00Z',
    'tomorrow',
    '',
  ]
  for (const text of refused) {
    it(`is refused: ${text || 'nothing'}`, () => {
      assert.equal(parseTimestamp(text), null)
    })
  }
})
