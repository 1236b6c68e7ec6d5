import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  lackedBy,
  literalBody,
  offeredPlaceholders,
  placeholdersIn,
  previewText,
} from '../src/screens/recipients/placeholders.ts'
import { lineRange } from '../src/screens/recipients/line-range.ts'
import { readRecipients } from '../src/screens/recipients/read-recipients.ts'
import { emptyDraft, isBegun } from '../src/screens/broadcasts/broadcast-draft.ts'
import { missingValues, reasonText } from '../src/screens/broadcasts/missing-values.ts'
import { sendStateOf, storedText, type Estimate } from '../src/screens/broadcasts/send-state.ts'

it('a list of recipients is read with its faults by line', () => {
  const text = 'name,phone,city\nAda,+44 7700 900123,London\nBob,0177\nEve,+447700900123\n'

  const { recipients, faults } = readRecipients(text)

  const [ada] = recipients
  assert.ok(ada !== undefined)
  assert.equal(recipients.length, 1)
  assert.deepEqual(
    faults.map(({ line }) => line),
    [3, 4],
  )
  assert.equal(
    previewText('Hi {{name}} in {{attributes.city}}, {{attributes.x|yes}}', ada),
    'Hi Ada in London, yes',
  )
})

it('a line of a list is found in its text', () => {
  const text = 'phone\n+447700900123\n0177\n'

  const { begin, end, place } = lineRange(text, 3)

  assert.equal(text.slice(begin, end), '0177')
  assert.equal(place, 0.5)
  assert.deepEqual(lineRange(text, 1), { begin: 0, end: 5, place: 0 })
})

it('an exported list of contacts is read again, whatever its cells contain', () => {
  const text =
    'id,name,address,tags,attributes,createdAt,updatedAt\r\n' +
    'a,"Ann ""A""\nLee",+447700900123,"[""vip"",""x""]","{""city"":""Rome""}",2026,2026\r\n' +
    '\r\n' +
    'b,Bob,12,[],{},2026,2026\r\n' +
    `c,${'x'.repeat(201)},+447700900124,[],{},2026,2026\r\n`

  const { recipients, faults } = readRecipients(text, { nameMax: 200 })

  const ann = { name: 'Ann "A"\nLee', tags: ['vip', 'x'], attributes: { city: 'Rome' } }
  assert.deepEqual(recipients, [{ line: 2, address: '+447700900123', ...ann }])
  assert.deepEqual(
    faults.map(({ line, fault }) => [line, fault]),
    [
      [5, 'has no telephone number in international form'],
      [6, 'has a name of more than 200 characters'],
    ],
  )
})

describe('a broadcast that is written', () => {
  const list = readRecipients('name,phone\nAda,+447700900123\nBob,+447700900124\n')
  const draft = { name: '', from: '', body: 'Dear {{name}}', group: '', list }
  const skippedFor = (reason: string): Estimate => ({
    recipients: 2,
    messages: 0,
    parts: 0,
    creditCost: 0,
    exact: true,
    skipped: [{ reason, recipients: 2, addresses: [] }],
  })

  it('is not sent if nobody would get a message', () => {
    const nobody = '0 of 2 recipients would get a message.'

    assert.deepEqual(sendStateOf(draft, skippedFor('optedOut')), { canSend: false, note: nobody })
    assert.deepEqual(sendStateOf(draft, { ...skippedFor('optedOut'), messages: 1 }), {
      canSend: true,
      note: '1 of 2 recipients would get a message.',
    })
    assert.deepEqual(sendStateOf(draft, undefined), { canSend: true, note: '' })
    assert.equal(sendStateOf({ ...draft, body: '' }, undefined).canSend, false)
  })

  it('can be sent if only the text of its first recipient is known not to fit', () => {
    assert.deepEqual(sendStateOf(draft, skippedFor('tooLong')), {
      canSend: true,
      note: 'About 0 of 2 recipients would get a message.',
    })
  })

  it('is lost by a reload once something is entered', () => {
    assert.equal(isBegun(emptyDraft), false)
    assert.equal(isBegun({ ...emptyDraft, list: readRecipients('') }), false)
    assert.equal(isBegun({ ...emptyDraft, list: readRecipients('0177') }), true)
    assert.equal(isBegun({ ...emptyDraft, from: 'Shop' }), true)
  })

  it('says which contacts and group it saves', () => {
    assert.match(storedText(draft), /saves 2 contacts in the new group “Imported recipients”/)
    assert.equal(storedText({ ...draft, body: 'Hello' }), '')
  })
})

describe('the placeholders of a list', () => {
  const { recipients } = readRecipients(
    'First name,phone,a|b\nAda,+447700900123,x\n,+447700900124,y\n',
  )
  const [ada, nameless] = recipients
  assert.ok(ada && nameless)
  const body = 'Dear {{ attributes.First name }}'

  it('are offered for its columns, blanks in titles included', () => {
    assert.deepEqual(offeredPlaceholders(recipients), ['{{attributes.First name}}'])
    assert.equal(previewText(body, ada), 'Dear Ada')
    assert.equal(lackedBy(placeholdersIn(body), ada), null)
    assert.equal(lackedBy(placeholdersIn(body), nameless)?.whole, '{{ attributes.First name }}')
  })

  it('are read as the service reads them', () => {
    const texts = [
      ['{{attributes.First name|you}} \\{{name}}', 'you {{name}}'],
      ['\\\\{{address}}', '\\+447700900124'],
      ['{{First name}} {{', '{{First name}} {{'],
      ['{{name', '{{name'],
    ] as const

    for (const [text, shown] of texts) assert.equal(previewText(text, nameless), shown)
    assert.equal(previewText(literalBody('a \\{{name}} {{b'), nameless), 'a \\{{name}} {{b')
  })

  it('are named for recipients without a value', () => {
    const list = { recipients, faults: [] }
    const found = missingValues({ name: '', from: '', group: '', list, body })

    assert.deepEqual(found, [
      {
        reason: 'missingValue',
        recipients: 1,
        addresses: ['+447700900124'],
        placeholder: '{{ attributes.First name }}',
      },
    ])
    const unknown = { reason: 'missingValue' }
    assert.equal(
      reasonText(unknown, '{{name}} {{address}} {{attributes.x|y}}'),
      'no value for {{name}}; {{name|customer}} has a text for this case',
    )
  })
})
