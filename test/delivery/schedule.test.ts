import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Random } from '../../src/core/ports/random.ts'
import { defaultSchedule, retryAfterMs, waitMs } from '../../src/delivery/attempts/schedule.ts'
import { seededRandom } from '../support/seeded-random.ts'

const now = Date.UTC(2026, 0, 1)
const hourMs = 3_600_000

describe('the retry schedule', () => {
  it('is 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, 4 h, then every 6 h', () => {
    const seconds = Array.from({ length: 11 }, (_, step) =>
      waitMs(defaultSchedule, step, fixed(0.5)),
    ).map((ms) => ms / 1000)

    assert.deepEqual(seconds, [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 21_600, 21_600, 21_600])
  })

  it('strays by at most 20 % in both directions', () => {
    const random = seededRandom(1)

    const waits = Array.from({ length: 2000 }, () => waitMs(defaultSchedule, 2, random))

    assert.equal(waitMs(defaultSchedule, 2, fixed(0)), 96_000)
    assert.ok(waits.every((ms) => ms >= 96_000 && ms <= 144_000))
    assert.ok(Math.min(...waits) < 97_000 && Math.max(...waits) > 143_000)
  })
})

describe('Retry-After', () => {
  const cases: readonly [field: string | null, asked: number | null, why: string][] = [
    ['120', 120_000, 'counts seconds'],
    ['Thu, 01 Jan 2026 00:10:00 GMT', 600_000, 'is a date'],
    ['Thursday, 01-Jan-26 00:10:00 GMT', 600_000, 'is a date of RFC 850'],
    ['Thu Jan  1 00:10:00 2026', 600_000, 'is a date of asctime'],
    ['0', 1000, 'is at least a second'],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 1000, 'is over already'],
    ['86400', 24 * hourMs, 'reaches 24 h'],
    ['999999999999', 24 * hourMs, 'does not reach further'],
    ['Sat, 01 Jan 2028 00:00:00 GMT', 24 * hourMs, 'does not reach further as a date'],
    [null, null, 'is absent'],
    ['', null, 'is empty'],
    ['-1', null, 'is negative'],
    ['1.5', null, 'is no whole number'],
    ['5 seconds', null, 'has a unit'],
    ['tomorrow', null, 'is a word'],
    ['2026-01-01T00:10:00Z', null, 'is a date of another form'],
    ['Thu, 30 Feb 2026 00:10:00 GMT', null, 'is a day that does not exist'],
    ['Thu, 01 Jan 2026 25:00:00 GMT', null, 'is an hour that does not exist'],
    ['Thu, 01 Jan 2026 00:10:00 CET', null, 'is in another zone'],
  ]
  for (const [field, asked, why] of cases) {
    it(`${JSON.stringify(field)} ${why}`, () => {
      assert.equal(retryAfterMs(field, now), asked)
    })
  }
})

function fixed(fraction: number): Random {
  return { fraction: () => fraction, bytes: (count) => new Uint8Array(count) }
}
