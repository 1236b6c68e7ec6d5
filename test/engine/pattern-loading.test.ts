import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { it } from 'node:test'
import { builtIn } from '../../src/collections/built-in.ts'
import { text } from '../../src/core/declaration/field.ts'
import { fieldReader } from '../../src/engine/field-reader.ts'

it('The library for patterns loads with the first value to check', () => {
  for (const { fields } of builtIn) Object.values(fields).map(fieldReader)
  const read = fieldReader(text({ pattern: '^a+$' }))
  assert.ok(!isLoaded())

  const value = read('aa', '', [])

  assert.equal(value, 'aa')
  assert.ok(isLoaded())
})

function isLoaded(): boolean {
  return Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes('/re2js/'))
}
