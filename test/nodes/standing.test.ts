import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { standingFor, type NodeLiveness } from '../../src/nodes/membership.ts'

const heldMs = 7000

/** Signs of life every two seconds, each answered after 10 ms; the store's clock is 500 ahead. */
function beatFrom(standing: NodeLiveness, from: number, to: number, ahead = 500): void {
  for (let began = from; began <= to; began += 2000) {
    const ended = began + 10
    standing.beaten({ began, ended, now: ended + ahead })
  }
}

describe('the standing of a node among others', () => {
  it('holds for as long as its signs of life are believed', () => {
    const standing = standingFor(heldMs)
    const before = standing.isHeld(0, 1)

    beatFrom(standing, 0, 4000)

    assert.equal(before, false)
    assert.equal(standing.isHeld(10, 10_999), true)
    assert.equal(standing.isHeld(10, 11_000), false)
    assert.equal(standing.isHeld(5, 6000), false)
  })

  it('does not hold over a gap in which others may have taken it for gone', () => {
    const standing = standingFor(heldMs)
    beatFrom(standing, 0, 2000)

    beatFrom(standing, 9000, 11_000)

    assert.equal(standing.isHeld(3000, 12_000), false)
    assert.equal(standing.isHeld(9010, 12_000), true)
  })

  it('lets it take others for gone only when they had the time to say that they are there', () => {
    const standing = standingFor(heldMs)
    beatFrom(standing, 0, 6000)
    const early = standing.isSure(7000)
    const known = standing.isSure(8000)

    beatFrom(standing, 20_000, 26_000)

    assert.deepEqual([early, known], [false, true])
    assert.equal(standing.isSure(26_500), false)
    assert.equal(standing.isSure(27_010), true)
  })

  it('begins anew where the clock of the store was set', () => {
    const standing = standingFor(heldMs)
    beatFrom(standing, 0, 8000)

    beatFrom(standing, 10_000, 10_000, 60_000)

    assert.equal(standing.isSure(12_000), false)
    assert.equal(standing.isHeld(9000, 12_000), false)
  })
})
