import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { systemRandom } from '../../src/core/ports/random.ts'

describe('the randomness of the machine', () => {
  for (const count of [0, 1, 2, 32, 4095, 4096, 4097, 10_000]) {
    it(`gives ${count} octets when it is asked for as many, wherever the pool stands`, () => {
      for (let turn = 0; turn < 5; turn += 1) {
        const before = systemRandom.bytes(turn)
        const drawn = systemRandom.bytes(count)

        assert.deepEqual([before.length, drawn.length], [turn, count])
      }
    })
  }

  for (const count of [16, 32, 1365, 4096, 5000]) {
    it(`never gives the same ${count} octets twice, and never zeros`, () => {
      const drawn = Array.from({ length: 300 }, () => Buffer.from(systemRandom.bytes(count)))
      const texts = new Set(drawn.map((octets) => octets.toString('latin1')))

      assert.equal(texts.size, drawn.length)
      // Any 16 octets of a slice are different from any other by the same odds: each half is, too.
      const halves = drawn.flatMap((octets) => [octets.subarray(0, 8), octets.subarray(-8)])
      assert.equal(new Set(halves.map((half) => half.toString('hex'))).size, halves.length)
      assert.ok(halves.every((half) => half.some((octet) => octet !== 0)))
    })
  }

  it('takes nothing back: what was given stays as it is when more is drawn', () => {
    const first = systemRandom.bytes(32)
    const copy = Buffer.from(first)
    for (let turn = 0; turn < 500; turn += 1) systemRandom.bytes(32)

    assert.deepEqual(Buffer.from(first), copy)
  })

  it('gives fractions from 0 up to 1', () => {
    const fractions = Array.from({ length: 1000 }, () => systemRandom.fraction())

    assert.ok(fractions.every((fraction) => fraction >= 0 && fraction < 1))
    assert.ok(new Set(fractions).size > 900)
  })
})
