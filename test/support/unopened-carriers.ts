import assert from 'node:assert/strict'
import { systemClock } from '../../src/core/ports/clock.ts'
import { carrierTypes } from '../../src/wiring/wire-carriers.ts'

const never = (): never => assert.fail('nothing is sent')

/** The types of carriers, for what their declarations say: none is opened. */
export const unopenedCarriers = carrierTypes(
  { simulatorDelayMs: 0 },
  { send: never, clock: systemClock, carrierGuard: { refusal: () => null, permits: never } },
)
