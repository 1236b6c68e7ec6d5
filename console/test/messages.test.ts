import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Conversation } from '../src/screens/conversations/conversation.ts'
import { withoutAnswered } from '../src/screens/conversations/without-answered.ts'
import { importLine, nameFault } from '../src/screens/fields/field-code.ts'
import { counterpartOf } from '../src/screens/messages/parties.ts'
import { withoutPlusText } from '../src/collections/form/without-plus.ts'
import { applyOptOuts, senderNames } from '../src/screens/opt-outs/apply-opt-outs.ts'
import { overlapEnd } from '../src/screens/webhooks/overlap-end.ts'

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

it('a message is listed under the other party, whoever sent it', () => {
  const parties = { id: 'm', from: '+10000000004', to: '+447700900456' }

  assert.equal(counterpartOf({ ...parties, type: 'RECEIVED' }), '+10000000004')
  assert.equal(counterpartOf({ ...parties, type: 'SENT' }), '+447700900456')
  assert.equal(counterpartOf({ ...parties, type: 'RECEIVED', from: '' }), null)
})

it('a conversation is unanswered until the account sends a message', () => {
  const conversation = (counterpart: string, type: 'SENT' | 'RECEIVED'): Conversation => {
    const at = '2026-01-31T12:00:00.000Z'
    const status = { id: 'RECEIVED', type: 'RECEIVED' } as const
    const lastMessage = {
      id: 'm',
      type,
      body: '',
      encoding: 'TEXT',
      status,
      createdAt: at,
    } as const
    return { id: 'c', counterpart, address: 'A', lastMessage, createdAt: at, updatedAt: at }
  }
  const waiting = conversation('+1', 'RECEIVED')
  const answered = conversation('+2', 'RECEIVED')
  const unknown = conversation('+3', 'RECEIVED')

  const left = withoutAnswered(
    [waiting, answered, unknown],
    [waiting, conversation('+2', 'SENT'), { ...conversation('+3', 'SENT'), address: 'B' }],
  )

  assert.deepEqual(left, [waiting, unknown])
})

it('an old secret signs for a day after the rotation', () => {
  const rotatedAt = '2026-01-31T12:00:00.000Z'
  const rotatedAtMs = Date.parse(rotatedAt)

  assert.equal(overlapEnd(rotatedAt, rotatedAtMs), '2026-02-01T12:00:00.000Z')
  assert.equal(overlapEnd(rotatedAt, rotatedAtMs + 24 * 3_600_000), null)
  assert.equal(overlapEnd(null, rotatedAtMs), null)
})

describe('a new field', () => {
  it('comes with the complete import', () => {
    assert.equal(
      importLine({ kind: 'boolean' }),
      "import { boolean, collection, defineConfig } from 'nuncio'",
    )
  })

  it('has a name that nothing else has', () => {
    assert.match(nameFault('title', ['title']) ?? '', /^is taken by a field/)
    assert.match(nameFault('sort', []) ?? '', /^is taken by a parameter/)
    assert.match(nameFault('constructor', []) ?? '', /^is taken: every object/)
    assert.equal(nameFault('notes', ['title']), null)
  })
})
