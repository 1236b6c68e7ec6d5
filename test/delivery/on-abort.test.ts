import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { onAbort } from '../../src/delivery/egress/exchange-http.ts'

describe('What many requests ask of one signal', () => {
  it('is done for each of them once when it is given', () => {
    const aborting = new AbortController()
    const called: string[] = []
    onAbort(aborting.signal, () => called.push('first'))
    onAbort(aborting.signal, () => called.push('second'))

    aborting.abort()

    assert.deepEqual(called, ['first', 'second'])
  })

  it('is not done for one that has called it off', () => {
    const aborting = new AbortController()
    const called: string[] = []
    const callOff = onAbort(aborting.signal, () => called.push('first'))
    onAbort(aborting.signal, () => called.push('second'))

    callOff()
    aborting.abort()

    assert.deepEqual(called, ['second'])
  })
})
