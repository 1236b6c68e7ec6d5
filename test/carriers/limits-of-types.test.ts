import assert from 'node:assert/strict'
import { it } from 'node:test'
import { systemClock } from '../../src/core/ports/clock.ts'
import { carrierTypes } from '../../src/wiring/wire-carriers.ts'

const never = (): never => assert.fail('nothing is sent')
const types = carrierTypes(
  { simulatorDelayMs: 0 },
  { send: never, clock: systemClock, carrierGuard: { refusal: never, permits: never } },
)

it('every type of carrier that reaches a provider has the settings that limit what it gets', () => {
  const reaching = types.filter(({ type }) => type !== 'SIMULATOR')

  assert.ok(reaching.length >= 2)
  for (const { type, settings } of reaching) {
    assert.ok('window' in settings && 'partsPerSecond' in settings, type)
  }
})
