import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { notificationRecord, type NotificationRecord } from '../../src/collections/messages.ts'
import { packedText, unpackedText } from '../../src/stores/packed-text.ts'
import { startApi } from '../support/api.ts'

const message: NotificationRecord = {
  id: 'message_01m82zm3ygez4ty2rxspeakfnv',
  type: 'SENT',
  from: 'Nuncio',
  to: '+4915112345678',
  body: 'Your parcel arrives today at 14:00.',
  encoding: 'TEXT',
  protocolId: 0,
  messageClass: 1,
  numberOfParts: 1,
  creditCost: 1,
  submission: {
    id: 'submission_01m82zm3ykewpb7bcw7tnafsdf',
    date: '2026-11-23T01:16:43.856Z',
  },
  status: { id: 'DELIVERED.null', type: 'DELIVERED' },
  relatedSentMessageId: null,
  userSuppliedId: 'n4999',
}

describe('a stored record', () => {
  it('takes two fifths of the octets of a short message’s record', () => {
    const record = JSON.stringify(notificationRecord(message))

    const packed = packedText(message.id, record)

    assert.ok(packed.length < 0.4 * record.length, `${packed.length} of ${record.length}`)
    assert.equal(unpackedText(message.id, packed), record)
  })

  it('takes two fifths of the octets of a short message, whatever fields were added since', async (t) => {
    const api = await startApi(t)
    const { body, userSuppliedId, to } = message
    const { id } = (await api.post('/v1/messages', { to, body, userSuppliedId })).json
    await api.clock.advance(1000)
    const { json, text } = await api.get(`/v1/messages/${id}`)
    assert.equal(json.status.type, 'DELIVERED')

    const packed = packedText(id, text)

    assert.ok(packed.length < 0.42 * text.length, `${packed.length} of ${text.length}: ${packed}`)
  })

  it('is read as it was, whatever it holds', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('","from":"', '.null","type":"', '\u0001', '\u001f', '"', '\\'),
    )
    const changed = fc.record({ body: text, userSuppliedId: fc.option(text), from: text })
    const record = fc.oneof(
      changed.map((fields) => JSON.stringify(notificationRecord({ ...message, ...fields }))),
      text,
    )

    fc.assert(
      fc.property(fc.oneof(fc.constant(message.id), text), record, (id, stored) => {
        assert.equal(unpackedText(id, packedText(id, stored)), stored)
      }),
    )
  })
})

describe('the texts of a stored record', () => {
  it('keep their places: a node of another version reads what this one wrote', () => {
    const packed = String(packedText(message.id, JSON.stringify(notificationRecord(message))))

    const read = packed.replace(/\p{Cc}/gu, (sign) => `<${sign.codePointAt(0)}>`)

    assert.equal(
      read,
      '<1>SENT<2>Nuncio<3>+4915112345678<4>Your parcel arrives today at 14:00.<5>1' +
        '<14>01m82zm3ykewpb7bcw7tnafsdf<15>2026-11-23T01:16:43.856Z<16>DELIVERED<17>DELIVERED<19>"n4999"}',
    )
  })
})
