import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defineConfig } from '../../src/config/define-config.ts'
import { text } from '../../src/core/field.ts'

describe('defineConfig', () => {
  it('returns what it is given, numbers and lists as such', () => {
    const config = defineConfig({
      port: 9000,
      retrySchedule: [1, 2],
      webhookNetworks: ['10.0.0.0/8'],
      collections: [
        {
          name: 'customers',
          noun: 'customer',
          description: 'Whoever buys.',
          fields: { name: text({ required: true }) },
        },
      ],
    })

    assert.equal(config.port, 9000)
    assert.equal(config.collections?.length, 1)
  })
})
