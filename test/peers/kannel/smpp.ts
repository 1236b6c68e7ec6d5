import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { CarrierEvent, OutgoingMessage } from '../../../src/core/ports/carrier.ts'
import { systemClock } from '../../../src/core/ports/clock.ts'
import { typeIds } from '../../../src/core/id.ts'
import { systemRandom } from '../../../src/core/ports/random.ts'
import { smppType } from '../../../src/carriers/smpp/smpp.ts'
import { decodeMessage } from '../../../src/encoding/decode-message.ts'
import { aMessage } from '../../carriers/support/a-message.ts'
import { smppSettings } from '../../carriers/smpp/support/carrier.ts'
import { plainBody, startSmsc } from '../../carriers/smpp/support/smsc.ts'
import { fetchKannel, startKannel } from './kannel.ts'

const lacking = await fetchKannel()
if (lacking !== null) process.stderr.write(`SKIPPED: ${lacking}\n`)

const text = 'Здравствуй, мир 😀! '.repeat(8)

/** A part of the text in UCS-2, in octets, with its header. */
function part(index: number): Buffer {
  const octets = Buffer.from(text, 'utf16le')
    .swap16()
    .subarray(index * 134, (index + 1) * 134)
  return Buffer.concat([Buffer.of(5, 0, 3, 77, 3, index + 1), octets])
}

async function until(what: string, holds: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    if (holds()) return
    await pause(50)
  }
  throw new Error(`it never came to this: ${what}`)
}

describe('Kannel as the SMSC', { skip: lacking ?? false }, () => {
  it('takes messages, gives receipts, brings messages, and is bound to again', async () => {
    await using up = await startSmsc()
    await using kannel = await startKannel(up.port)
    const events: CarrierEvent[] = []
    const settings = smppSettings({ port: kannel.port, systemType: 'VMA' })
    const newId = typeIds(systemClock, systemRandom)
    const ground = { clock: systemClock, random: systemRandom, newId, log: () => {} }
    await using carrier = smppType().open('carrier_kannel', settings, ground)
    const submit = (fields: Partial<OutgoingMessage>) =>
      carrier.submit(aMessage({ from: '12345', ...fields }), new AbortController().signal)
    await carrier.start(
      async (_, reported) => void events.push(...reported),
      async function* () {},
    )
    await until('both are bound', () => {
      return up.sessions.some((each) => each.boundWith) && carrier.condition().state === 'BOUND'
    })

    const short = await submit({ id: 'short' })
    const long = await submit({ id: 'long', body: text, encoding: 'UNICODE', numberOfParts: 3 })
    assert.ok(short.kind === 'SUBMITTED' && long.kind === 'SUBMITTED')
    await until('all parts went through', () => up.submitted.length === 4)
    const ids = [...short.carrierMessageIds, ...long.carrierMessageIds]

    const sent = up.submitted.slice(1).map(({ pdu }) => pdu.body)
    const octets = Buffer.concat(sent.map((body) => body.short_message.subarray(6))).swap16()
    assert.equal(octets.toString('utf16le'), text)
    assert.deepEqual([...new Set(sent.map((body) => body.data_coding))], [8])

    const [session] = up.sessions
    for (const { pdu, messageId } of up.submitted) {
      const dates = 'submit date:2611211200 done date:2611211200'
      const receipt = `id:${messageId} sub:001 dlvrd:001 ${dates} stat:DELIVRD err:000 text:`
      await session?.request('deliver_sm', {
        ...plainBody,
        esm_class: 4,
        source_addr: pdu.body.destination_addr,
        destination_addr: pdu.body.source_addr,
        dest_addr_ton: 0,
        short_message: Buffer.from(receipt),
      })
    }
    await until('all receipts came', () => events.length === 4)
    assert.deepEqual(
      events.map((event) => (event.kind === 'RECEIPT' ? event.carrierMessageId : null)).toSorted(),
      ids.toSorted(),
    )

    events.length = 0
    for (const index of [0, 1, 2]) {
      const fields = { destination_addr: '12345', dest_addr_ton: 3, esm_class: 0x40 }
      const body = { ...plainBody, ...fields, data_coding: 8, short_message: part(index) }
      await session?.request('deliver_sm', body)
    }
    await until('the message came', () => events.length === 3)
    const parts = events.flatMap((event) => (event.kind === 'INCOMING_PART' ? [event] : []))
    const { body } = decodeMessage(
      parts
        .toSorted((a, b) => a.part - b.part)
        .map(({ content: { dataCoding, locking, single, octets } }) => ({
          dataCoding,
          shifts: { locking, single },
          octets: Uint8Array.fromHex(octets),
        })),
    )
    assert.equal(body, text)

    await kannel.stop()
    await until('it is lost', () => carrier.condition().state !== 'BOUND')
    await kannel.start()
    await until('it is bound again', () => carrier.condition().state === 'BOUND')
    assert.equal((await submit({ id: 'again' })).kind, 'SUBMITTED')
  })
})
