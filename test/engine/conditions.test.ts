import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkWrite, isNotModified } from '../../src/engine/conditions.ts'

const failed = { name: 'Problem', problem: 'precondition-failed' }
const none = { ifMatch: undefined, ifNoneMatch: undefined }

describe('a conditional write', () => {
  const holds: [
    ifMatch: string | undefined,
    ifNoneMatch: string | undefined,
    there: string | null,
  ][] = [
    [undefined, undefined, null],
    ['*', undefined, 'a'],
    ['"a"', undefined, 'a'],
    ['"x", "a"', undefined, 'a'],
    ['"a.live1"', undefined, 'a.live2'],
    [undefined, '*', null],
    [undefined, '"x"', 'a'],
  ]
  for (const [ifMatch, ifNoneMatch, there] of holds) {
    it(`goes on: If-Match ${ifMatch}, If-None-Match ${ifNoneMatch}, found ${there}`, () => {
      assert.doesNotThrow(() => checkWrite({ ifMatch, ifNoneMatch }, there))
    })
  }

  const fails: typeof holds = [
    ['*', undefined, null],
    ['"a"', undefined, null],
    ['"x"', undefined, 'a'],
    ['W/"a"', undefined, 'a'],
    [undefined, '*', 'a'],
    [undefined, '"a"', 'a'],
    [undefined, 'W/"a"', 'a'],
  ]
  for (const [ifMatch, ifNoneMatch, there] of fails) {
    it(`is refused: If-Match ${ifMatch}, If-None-Match ${ifNoneMatch}, found ${there}`, () => {
      assert.throws(() => checkWrite({ ifMatch, ifNoneMatch }, there), failed)
    })
  }

  it('is malformed where the field holds no entity tag', () => {
    assert.throws(() => checkWrite({ ...none, ifMatch: 'abc' }, 'abc'), {
      problem: 'invalid-request',
    })
  })
})

describe('a conditional read', () => {
  it('answers 304 only where the client has the very representation', () => {
    assert.equal(isNotModified(none, 'a'), false)
    assert.equal(isNotModified({ ...none, ifNoneMatch: '"a"' }, 'a'), true)
    assert.equal(isNotModified({ ...none, ifNoneMatch: 'W/"a", "b"' }, 'a'), true)
    assert.equal(isNotModified({ ...none, ifNoneMatch: '*' }, 'a'), true)
    assert.equal(isNotModified({ ...none, ifNoneMatch: '"a.live1"' }, 'a.live2'), false)
  })
})
