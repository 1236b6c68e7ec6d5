import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JsonValue } from '../../src/core/json.ts'
import { readReplays } from '../../src/delivery/progress/progress.ts'
import { position } from './support/position.ts'

const whole = { id: 'r', position: '3', end: '9', sent: 2, setAside: 1, reached: 7, flow: { a: 1 } }

function read(value: JsonValue | undefined) {
  return readReplays(value, (text): JsonValue => JSON.parse(text))
}

describe('the replays of a webhook', () => {
  it('are read back as they were written', () => {
    assert.deepEqual(read([whole]), [{ ...whole, position: position('3'), end: position('9') }])
  })

  for (const [title, value] of [
    ['nothing is stored', undefined],
    ['they are no list', { 0: whole }],
    ['one is no object', [null, 'r', 7, []]],
    ['one has no identifier', [{ ...whole, id: 7 }]],
    ['one has no end', [{ ...whole, end: null }]],
    ['the end of one is no text', [{ ...whole, end: 9 }]],
    ['the end of one is no position', [{ ...whole, end: 'x' }]],
  ] as const) {
    it(`are none where ${title}`, () => {
      assert.deepEqual(read(value as JsonValue | undefined), [])
    })
  }

  it('are read as far as they can be: the others stay, and what is missing begins anew', () => {
    const partly = { id: 's', position: 3, end: '9', sent: '2', setAside: null, reached: '7' }

    assert.deepEqual(read([{ id: 7 }, partly]), [
      {
        id: 's',
        position: null,
        end: position('9'),
        sent: 0,
        setAside: 0,
        reached: null,
        flow: {},
      },
    ])
  })
})
