import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { didYouMean, nearest } from '../../src/core/declaration/nearest.ts'

const names = ['messages', 'contacts', 'webhooks', 'keys']

describe('a name that is misspelt', () => {
  for (const [given, meant] of [
    ['message', 'messages'],
    ['messagess', 'messages'],
    ['mesages', 'messages'],
    ['messagse', 'messages'],
    ['emssages', 'messages'],
    ['Contacts', 'contacts'],
    ['kyes', 'keys'],
    ['web-hooks', 'webhooks'],
  ] as const) {
    it(`${given} is taken for ${meant}`, () => {
      assert.equal(nearest(given, names), meant)
      assert.equal(didYouMean(given, names), ` Did you mean ${meant}?`)
    })
  }

  for (const given of ['', 'x', 'ekey', 'kays2', 'hooks']) {
    it(`${JSON.stringify(given)} is taken for none, since too much of it is wrong`, () => {
      assert.equal(nearest(given, names), null)
      assert.equal(didYouMean(given, names), '')
    })
  }

  it('is taken for the closest, and for the first of those that are as close', () => {
    assert.equal(nearest('abcdef', ['abcdxx', 'abcdex', 'abcdey']), 'abcdex')
  })

  it('has swapped neighbours only where both stand in the place of the other', () => {
    // One swap is one mistake; the same letters further apart are two.
    assert.equal(nearest('abc', ['bac']), 'bac')
    assert.equal(nearest('abc', ['bca']), null)
    assert.equal(nearest('abc', ['xab']), null)
    assert.equal(nearest('abc', ['bxc']), null)
    assert.equal(nearest('abc', ['axb']), null)
    assert.equal(nearest('abc', ['axbc']), 'axbc')
  })
})
