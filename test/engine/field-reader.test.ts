import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  array,
  integer,
  map,
  number,
  object,
  text,
  type Field,
} from '../../src/core/declaration/field.ts'
import type { JsonValue } from '../../src/core/json.ts'
import { invalidBody, type InputError } from '../../src/core/problem.ts'
import { fieldReader } from '../../src/engine/field-reader.ts'

function read(field: Field, value: JsonValue): { value: JsonValue; faults: readonly string[] } {
  const errors: InputError[] = []
  const given = fieldReader(field)(value, '/f', errors)
  return {
    value: given,
    faults: errors.map((error) => `${'pointer' in error ? error.pointer : ''} ${error.detail}`),
  }
}

describe('a field', () => {
  it('takes no number that is too large for a double', () => {
    const parsed: JsonValue = JSON.parse('1e999')

    assert.deepEqual(read(number(), parsed).faults, ['/f must be a number, is the number Infinity'])
    assert.deepEqual(read(number(), 1e300).faults, [])
  })

  it('says to which number a whole one is held exactly', () => {
    const faults = (value: number) => read(integer(), value).faults

    assert.deepEqual(faults(2 ** 53), ['/f must be at most 9007199254740991, is 9007199254740992'])
    assert.deepEqual(faults(-(2 ** 53)), [
      '/f must be at least -9007199254740991, is -9007199254740992',
    ])
    assert.deepEqual(faults(2 ** 53 - 1), [])
    assert.deepEqual(faults(1.5), ['/f must be a whole number, is the number 1.5'])
  })

  it('takes a member for what it is, whatever its name', () => {
    const named = object({ constructor: text({ nullable: true }) })
    const free = map(text())

    assert.deepEqual(read(named, {}), { value: { constructor: null }, faults: [] })
    const kept = read(free, JSON.parse('{"__proto__":"x","toString":"y"}')).value
    assert.equal(JSON.stringify(kept), '{"__proto__":"x","toString":"y"}')
  })

  it('finds repeated items, whatever the order of their members', () => {
    const items = array(map(text()), { uniqueItems: true })

    const { faults } = read(items, [
      { a: '1', b: '2' },
      { b: '1', a: '2' },
      { b: '2', a: '1' },
    ])

    assert.deepEqual(faults, ['/f/2 must not repeat an item before it'])
  })

  it('finds them among as many as a body can hold', { timeout: 10_000 }, () => {
    const many = Array.from({ length: 150_000 }, (_, index) => index.toString(36))

    assert.deepEqual(read(array(text(), { uniqueItems: true }), many).faults, [])
  })
})

describe('the refusal of a body', () => {
  it('lists a hundred faults and counts the rest', () => {
    const errors = Array.from({ length: 5000 }, (_, index) => ({
      pointer: `/${index}`,
      detail: 'x',
    }))

    const problem = invalidBody(errors)

    assert.equal(problem.errors.length, 100)
    assert.match(problem.message, /^\/0 x; \/1 x; .*; \/99 x; and 4900 more$/)
  })
})
