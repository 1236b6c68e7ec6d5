import assert from 'node:assert/strict'
import { it } from 'node:test'
import { unopenedCarriers } from '../support/unopened-carriers.ts'

it('every type of carrier that reaches a provider has the settings that limit what it gets', () => {
  const reaching = unopenedCarriers.filter(({ type }) => type !== 'SIMULATOR')

  assert.ok(reaching.length >= 2)
  for (const { type, settings } of reaching) {
    assert.ok(
      'window' in settings && 'partsPerSecond' in settings,
      `${type}: add window and partsPerSecond`,
    )
  }
})
