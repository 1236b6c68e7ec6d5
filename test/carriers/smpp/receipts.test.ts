import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PartOutcome, ReceiptOutcome } from '../../../src/core/ports/receipts.ts'
import type { SmppDelivery } from '../../../src/carriers/smpp/session/link.ts'
import { messageId, readReceipt, receiptedId } from '../../../src/carriers/smpp/pdus/receipt.ts'
import { plainBody } from './support/smsc.ts'

const delivered: PartOutcome = { type: 'DELIVERED', detail: null }
const unknown: PartOutcome = { type: 'UNKNOWN', detail: null }
const failed = (detail: string): PartOutcome => ({ type: 'FAILED', detail })

const onItsWay = (detail: string): ReceiptOutcome => ({ type: 'SENT', detail })

/** Identifier and outcome of a receipt. */
const matched = (read: ReturnType<typeof readReceipt>) =>
  read && { carrierMessageId: read.carrierMessageId, outcome: read.outcome }

/** A receipt in text form, and in TLVs. */
function receipt(
  text: string,
  tlvs: readonly (readonly [number, Uint8Array])[] = [],
  fields: object = {},
): SmppDelivery {
  const body = { ...plainBody, esm_class: 4, short_message: Buffer.from(text, 'latin1'), ...fields }
  return { command: 'deliver_sm', status: 0, sequence: 1, body, tlvs: new Map(tlvs) }
}

const read = (text: string, ...rest: [tlvs?: [number, Uint8Array][], fields?: object]) =>
  readReceipt(receipt(text, ...rest), 'AS_IS')

const id = (text: string): [number, Uint8Array] => [0x001e, Buffer.from(text)]
const state = (value: number): [number, Uint8Array] => [0x0427, Uint8Array.of(value)]

describe('a receipt in text form', () => {
  const variants: readonly (readonly [text: string, id: string | null, outcome: unknown])[] = [
    [
      'id:0123456789 sub:001 dlvrd:001 submit date:2611211200 done date:2611211201 stat:DELIVRD err:000 text:hello',
      '123456789',
      delivered,
    ],
    [
      'id:abc sub:001 dlvrd:000 submit date:26 done date:26 stat:EXPIRED err:001 text:',
      'abc',
      failed('EXPIRED'),
    ],
    ['ID:ABC STAT:UNDELIV ERR:5', 'abc', failed('UNDELIVERABLE')],
    ['stat:REJECTD err:011 id:77', '77', failed('REJECTED')],
    ['id: 77 sub: 001 stat: DELETED', '77', failed('REJECTED')],
    ['id:77,sub:001,stat:DELIVRD,err:000', '77', delivered],
    ['id:77 stat:DELIVERED', '77', delivered],
    ['id:77 stat:DELIVR', '77', delivered],
    ['id:77 stat:UNKNOWN', '77', unknown],
    ['id:77 stat:SOMETHING', '77', unknown],
    ['id:77 sub:001 dlvrd:00', '77', unknown],
    ['id:77 stat:', '77', unknown],
    ['sub:001 dlvrd:001 stat:DELIVRD', null, delivered],
    ['', null, unknown],
    ['id:77 stat:ACCEPTD err:000', '77', onItsWay('ACCEPTED')],
    ['id:77 stat:ENROUTE', '77', onItsWay('ENROUTE')],
    ['id:77 stat:BUFFERED', '77', onItsWay('ENROUTE')],
    ['id:77 text:hello stat:EXPIRED', '77', unknown],
    ['stat:DELIVRD text:hello id:88', null, delivered],
    ['text:id id:77 stat:DELIVRD', '77', delivered],
    ['message_id:77 status:FAILED', '77', failed('UNDELIVERABLE')],
    ['id:77 dlvrd:001 stat:BLOCKED', '77', failed('BLOCKED')],
    [
      'submit date:2611211200 id:f1f36564-394E-4e72-ae87-e4191442392e stat:DELIVRD',
      'f1f36564-394e-4e72-ae87-e4191442392e',
      delivered,
    ],
  ]
  for (const [text, carrierMessageId, outcome] of variants) {
    it(`is understood: ${text.slice(0, 60) || '(empty)'}`, () => {
      assert.deepEqual(matched(read(text)), { carrierMessageId, outcome })
    })
  }

  it('is understood in UCS-2, and as a payload', () => {
    const text = 'id:77 stat:DELIVRD'
    const utf16 = Buffer.from(text, 'utf16le').swap16()

    const inUcs2 = read('', [], { data_coding: 8, short_message: utf16 })
    const asPayload = read('', [[0x0424, Buffer.from(text)]])

    assert.deepEqual(matched(inUcs2), { carrierMessageId: '77', outcome: delivered })
    assert.deepEqual(asPayload, inUcs2)
  })
})

describe('a receipt in TLVs', () => {
  it('comes before its text, with its NUL or without', () => {
    const text = 'id:88 stat:EXPIRED'

    assert.deepEqual(matched(read(text, [id('77\0'), state(2)])), {
      carrierMessageId: '77',
      outcome: delivered,
    })
    assert.deepEqual(matched(read(text, [id('77')])), {
      carrierMessageId: '77',
      outcome: failed('EXPIRED'),
    })
    assert.deepEqual(matched(read(text, [state(5)])), {
      carrierMessageId: '88',
      outcome: failed('UNDELIVERABLE'),
    })
    assert.equal(read(text, [id('\0'), state(2)])?.carrierMessageId, '88')
  })

  it('is a receipt even where esm_class says nothing', () => {
    const plain = { esm_class: 0 }

    assert.equal(read('', [id('77\0'), state(2)], plain)?.carrierMessageId, '77')
    assert.equal(read('id:77 stat:DELIVRD', [], plain), null)
  })

  it('knows each state', () => {
    const outcomes = [1, 2, 3, 4, 5, 6, 7, 8, 200].map(
      (value) => read('', [id('7'), state(value)])?.outcome,
    )

    assert.deepEqual(outcomes, [
      onItsWay('ENROUTE'),
      delivered,
      failed('EXPIRED'),
      failed('REJECTED'),
      failed('UNDELIVERABLE'),
      onItsWay('ACCEPTED'),
      unknown,
      failed('REJECTED'),
      unknown,
    ])
  })

  it('is not final where it is an intermediate notification', () => {
    const read = readReceipt(receipt('id:7 stat:UNDELIV', [], { esm_class: 0x20 }), 'AS_IS')

    assert.deepEqual(read?.outcome, onItsWay('ENROUTE'))
  })
})

describe('the code of a receipt', () => {
  const error: [number, Uint8Array] = [0x0423, Uint8Array.of(3, 0, 11)]
  const codes: readonly (readonly [string, [number, Uint8Array][], string | null])[] = [
    ['id:7 stat:UNDELIV err:001 text:err:5', [], '001'],
    ['id:7 stat:UNDELIV ERROR=27,text:', [], '27'],
    ['id:7 stat:UNDELIV err: text:hello', [], null],
    ['id:7 stat:UNDELIV', [], null],
    ['id:7 stat:UNDELIV', [error], '3:11'],
    ['id:7 stat:UNDELIV err:004', [error], '004'],
    ['', [id('7'), state(5), error], '3:11'],
    ['', [id('7'), state(5)], 'UNDELIVERABLE'],
    ['', [id('7'), state(77)], '77'],
  ]
  for (const [text, tlvs, code] of codes) {
    it(`is ${code} in ${text || 'TLVs alone'}, with ${tlvs.length} TLVs`, () => {
      assert.equal(read(text, tlvs)?.code, code)
    })
  }
})

describe('identifiers of parts', () => {
  it('are the same with leading zeros and in either case, where they are numbers', () => {
    assert.equal(messageId('00AbC'), messageId('abc'))
    assert.equal(messageId(' 007 '), '7')
    assert.equal(messageId('000'), '0')
  })

  it('stay apart in their case where they are no numbers', () => {
    assert.notEqual(messageId('xYz'), messageId('XyZ'))
  })

  it('are turned from hex to decimal and back, as an SMSC needs it', () => {
    assert.equal(receiptedId('00FF', 'HEX_TO_DECIMAL'), messageId('255'))
    assert.equal(receiptedId('0255', 'DECIMAL_TO_HEX'), messageId('FF'))
    assert.equal(receiptedId('F1F36564394E4E72AE87', 'HEX_TO_DECIMAL'), '1142580187208999905701511')
    assert.equal(receiptedId('x-7', 'HEX_TO_DECIMAL'), 'x-7')
    assert.equal(receiptedId('7F', 'DECIMAL_TO_HEX'), '7f')
  })
})
