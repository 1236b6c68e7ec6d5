import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StoreUnavailable } from '../../src/core/ports/store.ts'
import { bundledLog } from '../../src/wiring/bundled-log.ts'
import { virtualClock } from '../support/virtual-clock.ts'

const reason = 'PostgreSQL: it cannot be reached'

function openLog() {
  const clock = virtualClock()
  const lines: unknown[] = []
  const log = bundledLog((level, event, fields) => {
    if (level !== 'debug') lines.push([level, event, fields])
  }, clock)
  return { clock, lines, log }
}

describe('the log of an outage of the store', () => {
  it('has one line for its cause, one each minute and one at its end', async () => {
    const { clock, lines, log } = openLog()
    for (let second = 0; second < 70; second += 1) {
      for (const requestId of ['a', 'b']) log('error', 'store unavailable', { requestId, reason })
      log('error', 'submission failed', { error: new StoreUnavailable(reason) })
      await clock.advance(1000)
    }
    await clock.advance(60_000)

    assert.deepEqual(lines, [
      ['error', 'store unavailable', { requestId: 'a', reason }],
      ['error', 'store fault continues', { reason, repetitions: 179 }],
      ['info', 'store fault ended', { reason, repetitions: 209 }],
    ])
  })

  it('has a line for each other cause, without a stack, and again after its end', async () => {
    const { clock, lines, log } = openLog()
    const other = new StoreUnavailable('others hold what this one needs', { cause: new Error('x') })
    for (const error of [new StoreUnavailable(reason), other])
      log('warn', 'leases failed', { error })
    await clock.advance(20_000)
    log('warn', 'leases failed', { error: other })

    assert.deepEqual(lines, [
      ['warn', 'store unavailable', { failed: 'leases failed', reason }],
      ['warn', 'store unavailable', { failed: 'leases failed', reason: other.message }],
      ['warn', 'store unavailable', { failed: 'leases failed', reason: other.message }],
    ])
  })

  it('has all else as it is', () => {
    const { lines, log } = openLog()
    const error = new Error('a fault of the program')

    for (const _ of [1, 2]) log('error', 'request failed', { error })

    assert.deepEqual(lines, [
      ['error', 'request failed', { error }],
      ['error', 'request failed', { error }],
    ])
  })
})
