import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ReceiptOutcome } from '../../src/core/ports/receipts.ts'
import type { Message } from '../../src/collections/messages.ts'
import { fakeCarrier } from './support/fake-carrier.ts'
import { aMessage, openWorld } from './support/world.ts'

const enRoute: ReceiptOutcome = { type: 'SENT', detail: 'ENROUTE' }
const failed: ReceiptOutcome = { type: 'FAILED', detail: 'UNDELIVERABLE' }
const delivered: ReceiptOutcome = { type: 'DELIVERED', detail: null }

const entries = (message: Message | null) =>
  message?.history.map(({ status, code }) => (code === undefined ? status : `${status} ${code}`))

describe('The code of a carrier', () => {
  it('is that of the last report, in the message and in its history', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier()
    await world.start([carrier])
    const { id } = await world.post(aMessage())
    await world.comesTo(id, 'SENT.null')
    const receipt = { kind: 'RECEIPT', carrierMessageId: `${id}.1` } as const

    await carrier.report({ ...receipt, outcome: enRoute, code: '000' })
    await carrier.report({ ...receipt, outcome: enRoute, code: '000' })
    const before = await world.message(id)
    await carrier.report({ ...receipt, outcome: failed, code: '011' })
    await carrier.report({ ...receipt, outcome: enRoute, code: '099' })
    const after = await world.message(id)

    assert.deepEqual([before?.networkCode, before?.status.id], ['000', 'SENT.null'])
    assert.deepEqual([after?.networkCode, after?.status.id], ['011', 'FAILED.UNDELIVERABLE'])
    assert.deepEqual(entries(after), [
      'ACCEPTED.null',
      'SENT.null',
      'SENT.ENROUTE 000',
      'FAILED.UNDELIVERABLE 011',
    ])
    assert.deepEqual(await world.told(id), ['ACCEPTED.null', 'SENT.null', 'FAILED.UNDELIVERABLE'])
  })

  it('is not lost if the receipts come before the response', async () => {
    await using world = await openWorld('sqlite')
    const carrier = fakeCarrier(() => null)
    await world.start([carrier])
    const { id } = await world.post(aMessage())
    await world.until('it is submitted', () => carrier.submitted.length > 0)
    const receipt = { kind: 'RECEIPT', carrierMessageId: `${id}.1` } as const

    await carrier.report({ ...receipt, outcome: enRoute })
    await carrier.report({ ...receipt, outcome: delivered, code: '000' })
    carrier.answer()
    await world.comesTo(id, 'DELIVERED.null')

    const message = await world.message(id)
    assert.equal(message?.networkCode, '000')
    assert.deepEqual(entries(message), [
      'ACCEPTED.null',
      'SENT.null',
      'SENT.ENROUTE',
      'DELIVERED.null 000',
    ])
  })

  it('is that of the part whose receipt decides', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier()
    await world.start([carrier])
    const { id } = await world.post(aMessage({ body: 'a'.repeat(300) }))
    await world.comesTo(id, 'SENT.null')

    await carrier.report({ kind: 'RECEIPT', carrierMessageId: `${id}.1`, outcome: delivered })
    await carrier.report({
      kind: 'RECEIPT',
      carrierMessageId: `${id}.2`,
      outcome: failed,
      code: '3:11',
    })

    assert.equal((await world.message(id))?.networkCode, '3:11')
  })

  it('is that of a refused submit', async () => {
    await using world = await openWorld()
    const code = 'ESME_RINVDSTADR'
    const carrier = fakeCarrier(() => ({ kind: 'REJECTED', detail: 'UNDELIVERABLE', code }))
    await world.start([carrier])

    const { id } = await world.post(aMessage())
    await world.comesTo(id, 'FAILED.UNDELIVERABLE')

    const message = await world.message(id)
    assert.equal(message?.networkCode, code)
    assert.deepEqual(entries(message), ['ACCEPTED.null', `FAILED.UNDELIVERABLE ${code}`])
  })

  it('can repeat without an end and leaves a bounded history', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier()
    await world.start([carrier])
    const { id } = await world.post(aMessage())
    await world.comesTo(id, 'SENT.null')

    for (let count = 0; count < 100; count += 1) {
      const receipt = { kind: 'RECEIPT', carrierMessageId: `${id}.1` } as const
      await carrier.report({ ...receipt, outcome: enRoute, code: String(count) })
    }

    assert.ok(((await world.message(id))?.history.length ?? 0) < 30)
  })
})
