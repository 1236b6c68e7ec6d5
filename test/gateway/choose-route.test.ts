import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chooseRoute, type Candidate } from '../../src/gateway/carriers/routing.ts'
import { seededRandom } from '../support/seeded-random.ts'

describe('the choice of a route', () => {
  it('takes the longest prefix, whatever the priority', () => {
    const candidates = [one('all', ''), one('africa', '+27', { priority: 9 }), one('none', '+49')]

    assert.equal(chooseRoute('+27821234567', candidates, 0), 'africa')
    assert.equal(chooseRoute('+4915112345678', candidates, 0), 'none')
    assert.equal(chooseRoute('12345', candidates, 0), 'all')
  })

  it('takes the lowest priority of those with the same prefix', () => {
    const candidates = [one('second', '+27', { priority: 1 }), one('first', '+27')]

    assert.equal(chooseRoute('+27821234567', candidates, 0.99), 'first')
  })

  it('shares out by weight', () => {
    const candidates = [one('heavy', '', { weight: 3 }), one('light', '')]
    const random = seededRandom(3)

    const chosen = Array.from({ length: 4000 }, () =>
      chooseRoute('+27821234567', candidates, random.fraction()),
    )

    const heavy = chosen.filter((id) => id === 'heavy').length
    assert.ok(heavy > 2900 && heavy < 3100, `${heavy} of 4,000`)
  })

  it('passes over a carrier that has lost its turn, to a shorter prefix if need be', () => {
    const down = one('first', '+27', {}, false)

    assert.equal(
      chooseRoute('+27821234567', [down, one('second', '+27', { priority: 5 })], 0),
      'second',
    )
    assert.equal(chooseRoute('+27821234567', [down, one('all', '')], 0), 'all')
  })

  it('waits for the first choice where none has its turn, and finds none where none matches', () => {
    const down = [one('first', '+27', {}, false), one('all', '', {}, false)]

    assert.equal(chooseRoute('+27821234567', down, 0), 'first')
    assert.equal(chooseRoute('+4915112345678', [one('africa', '+27')], 0), null)
  })
})

function one(
  id: string,
  prefix: string,
  { weight = 1, priority = 0 }: { weight?: number; priority?: number } = {},
  hasTurn = true,
): Candidate {
  return { id, routes: [{ prefix, weight, priority }], hasTurn }
}
