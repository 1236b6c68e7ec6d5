import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withoutPlusText } from '../src/screens/messages/recipient-form.ts'
import { applyOptOuts, senderNames } from '../src/screens/opt-outs/apply-opt-outs.ts'

describe('an opt-out', () => {
  const all = { id: 'all', sender: null }
  const mine = { id: 'mine', sender: '+447700900456' }
  const other = { id: 'other', sender: 'SHOP' }

  it('blocks the messages of its sender, or of all senders', () => {
    const { blocking, others } = applyOptOuts([all, mine, other], '+447700900456')

    assert.deepEqual(blocking, [all, mine])
    assert.deepEqual(others, [other])
    assert.equal(senderNames(blocking), 'all senders, +447700900456')
  })

  it('of another sender blocks nothing if the sender is not known', () => {
    assert.deepEqual(applyOptOuts([mine, other], '').blocking, [])
  })
})

it('a number without + is said to be a short code, or what it is read as', () => {
  assert.match(withoutPlusText('0151 1234') ?? '', /the short code 01511234\./)
  assert.match(withoutPlusText('0151 12345678') ?? '', /^The country is missing\./)
  assert.equal(withoutPlusText('49 151 12345678'), 'Without + this is read as +4915112345678.')
  for (const text of ['+4915112345678', 'Ada', '12', '', '0049151123456']) {
    assert.equal(withoutPlusText(text), null)
  }
})
