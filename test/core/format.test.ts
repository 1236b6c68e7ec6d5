import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formats } from '../../src/core/declaration/format.ts'

const taken: [given: string, kept: string][] = [
  ['+4915112345678', '+4915112345678'],
  ['  +49 151 1234-5678 ', '+4915112345678'],
  ['(+49) 151.12345678', '+4915112345678'],
  ['4915112345678', '+4915112345678'],
  ['12345', '12345'],
]

const refused = [
  '',
  '+',
  '+0151123456',
  '+49 (0) 151 12345678',
  '+1234567890123456',
  '12',
  '+49a',
  '0049151',
  '004915112345678',
]

describe('a URL', () => {
  for (const given of [
    'https://exa\nmple.com/',
    '\thttps://example.com/',
    'https://example.com/ ',
    'https://example.com/a b',
    'https://example.com/\u007f',
  ]) {
    it(`${JSON.stringify(given)} is refused: it would be kept otherwise than it is asked`, () => {
      assert.equal(formats.url.read(given).ok, false)
    })
  }
})

describe('a recipient', () => {
  for (const [given, kept] of taken) {
    it(`${JSON.stringify(given)} is kept as ${kept}`, () => {
      assert.deepEqual(formats.recipient.read(given), { ok: true, text: kept })
      assert.deepEqual(formats.recipient.read(kept), { ok: true, text: kept })
    })
  }

  for (const given of refused) {
    it(`${JSON.stringify(given)} is refused`, () => {
      assert.equal(formats.recipient.read(given).ok, false)
    })
  }

  it('that begins with 00 is told to begin with +', () => {
    const read = formats.recipient.read('00 49 151')

    assert.match(read.ok ? '' : read.detail, /: write \+ in place of 00$/)
  })
})

describe('a sender', () => {
  for (const given of ['A', 'Nuncio 2.0', 'ABCDEFGHIJK', '+4915112345678', '123', 'a&b-c_d']) {
    it(`${JSON.stringify(given)} is kept`, () => {
      assert.deepEqual(formats.sender.read(given), { ok: true, text: given })
    })
  }

  for (const given of ['', 'ABCDEFGHIJKL', '..........', 'Nuncio!', 'Nünz', '12', 'A\n']) {
    it(`${JSON.stringify(given)} is refused`, () => {
      assert.equal(formats.sender.read(given).ok, false)
    })
  }
})

describe('a number', () => {
  for (const [given, kept] of [
    ['+1234567', '+1234567'],
    ['+123456789012345', '+123456789012345'],
    ['123456789', '+123456789'],
    ['12345678', '12345678'],
    ['123', '123'],
  ] as const) {
    it(`of ${given.length} characters is kept as ${kept}`, () => {
      assert.deepEqual(formats.recipient.read(given), { ok: true, text: kept })
    })
  }

  for (const given of ['+123456', '+1234567890123456', '12', '01234567890']) {
    it(`${given} is refused`, () => {
      assert.equal(formats.recipient.read(given).ok, false)
    })
  }
})
