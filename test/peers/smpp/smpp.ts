import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { accountId } from '../../../src/core/account.ts'
import type { CarrierEvent, Encoding, SubmitOutcome } from '../../../src/core/ports/carrier.ts'
import { systemClock } from '../../../src/core/ports/clock.ts'
import { typeIds } from '../../../src/core/id.ts'
import {
  standardScheme,
  type LongMessages,
  type PartScheme,
} from '../../../src/core/part-scheme.ts'
import { systemRandom } from '../../../src/core/ports/random.ts'
import type { Transaction } from '../../../src/core/ports/store.ts'
import { smppType } from '../../../src/carriers/smpp/smpp.ts'
import { partsOf } from '../../../src/gateway/messages/content.ts'
import { asMessage } from '../../../src/gateway/messages/stored-message.ts'
import { contentDefaults } from '../../gateway/support/content-defaults.ts'
import { aMessage } from '../../carriers/support/a-message.ts'
import { smppSettings } from '../../carriers/smpp/support/carrier.ts'
import { statuses } from '../../../src/carriers/smpp/pdus/pdu.ts'
import { startSmsc } from '../../carriers/smpp/support/smsc.ts'
import { perBucket, perWindow } from '../../carriers/smpp/support/throttling-peer.ts'
import { freePorts } from '../../support/free-ports.ts'
import { fetchPackage } from './debian-package.ts'
import { dissect } from './dissect.ts'
import { startNpmSmpp } from './npm-smpp.ts'
import { startOsmoMsc } from './osmo-msc.ts'
import { startPeer, type Peer } from './peer.ts'
import { openWire } from './wire.ts'

const tshark = await fetchPackage('tshark', 'usr/bin/tshark')
const perl = await fetchPackage('libnet-smpp-perl', 'usr/share/perl5/Net/SMPP.pm')
const osmo = await fetchPackage('osmo-msc', 'usr/bin/osmo-msc')
for (const { lacking } of [tshark, perl, osmo]) {
  if (lacking !== null) process.stderr.write(`SKIPPED: ${lacking}\n`)
}

const submitSm = 4

/** Bodies of one part and of several. */
const bodies: readonly (readonly [body: string, encoding: Encoding])[] = [
  ['hello {€}', 'TEXT'],
  ['a'.repeat(160), 'TEXT'],
  ['a'.repeat(765), 'TEXT'],
  ['€'.repeat(200), 'TEXT'],
  ['Здравствуй, мир 😀! '.repeat(8), 'UNICODE'],
  ['00ff'.repeat(200), 'BINARY'],
]

/** Settings that are sent to each peer. */
const ways: readonly (readonly [name: string, settings: Record<string, unknown>])[] = [
  ...(['UDH8', 'UDH16', 'SAR', 'PAYLOAD'] as const).map(
    (longMessages: LongMessages) => [longMessages, { longMessages }] as const,
  ),
  [
    'a profile of its own',
    {
      outgoingCharset: 'LATIN1',
      validityPeriod: 'RELATIVE',
      priorityFlags: [0, 1, 2, 3],
      destinationPlus: true,
      tlvs: [{ tag: '0x1400', text: 'to {{toDigits}}' }],
    },
  ],
  ['packed septets', { outgoingCharset: 'GSM_PACKED', validityPeriod: 'ABSENT' }],
]

async function until(what: string, holds: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    if (holds()) return
    await pause(50)
  }
  throw new Error(`it never came to this: ${what}`)
}

/** Sends all bodies in one way; compares parts and costs with the PDUs, and has Wireshark read them. */
async function exchange(
  port: number,
  settings: Record<string, unknown>,
): Promise<{
  readonly outcomes: readonly SubmitOutcome[]
  readonly events: readonly CarrierEvent[]
}> {
  await using wire = await openWire(port)
  const given = smppSettings({
    port: wire.port,
    systemId: 'nuncio',
    password: 'x',
    ...settings,
  } as never)
  const scheme: PartScheme = smppType().partScheme?.(given) ?? standardScheme
  const newId = typeIds(systemClock, systemRandom)
  const ground = { clock: systemClock, random: systemRandom, newId, log: () => {} }
  const events: CarrierEvent[] = []
  const outcomes: SubmitOutcome[] = []
  {
    await using carrier = smppType().open('carrier_peer', given, ground)
    await carrier.start(
      async (_, reported) => void events.push(...reported),
      async function* () {},
    )
    await until('it is bound', () => carrier.condition().state === 'BOUND')
    for (const [index, [body, encoding]] of bodies.entries()) {
      const fields = { id: `m${index}`, from: '12345', body, encoding, priority: 2 }
      const defaults = { ...contentDefaults, schemeOf: () => scheme }
      const numberOfParts = partsOf(asMessage({ ...fields, carrier: null }), defaults)
      const before = count(wire.commands(), submitSm)
      const message = aMessage({ ...fields, numberOfParts, validUntil: Date.now() + 3_600_000 })
      const outcome = await carrier.submit(message, new AbortController().signal)
      outcomes.push(outcome)
      const sent = count(wire.commands(), submitSm) - before
      if (outcome.kind !== 'SUBMITTED') continue
      const payload = settings['longMessages'] === 'PAYLOAD'
      assert.equal(sent, payload ? 1 : numberOfParts, `${body.slice(0, 9)} of ${body.length}`)
      const priced = { account: accountId('a'), to: '+49', numberOfParts }
      const cost = await contentDefaults.costOf({} as Transaction, priced)
      if (!payload) assert.equal(cost, sent)
    }
    const taken = outcomes.flatMap((each) =>
      each.kind === 'SUBMITTED' ? each.carrierMessageIds : [],
    )
    if (settings['receipts'] !== 'NONE') {
      await until('all receipts came', () => events.length >= taken.length)
    }
  }
  if (tshark.lacking === null) {
    const file = join(tmpdir(), `nuncio-smpp-${process.pid}.pcap`)
    await wire.save(file)
    const { pdus, malformed } = await dissect(tshark, file)
    assert.deepEqual(malformed, [])
    assert.ok(pdus > bodies.length * 2, `${pdus} PDUs`)
    process.stdout.write(
      `# ${pdus} PDUs, ${count(wire.commands(), submitSm)} submit_sm, none malformed\n`,
    )
  }
  return { outcomes, events }
}

function count<T>(all: readonly T[], one: T): number {
  return all.filter((each) => each === one).length
}

function suite(start: () => Promise<Peer>): void {
  for (const [name, settings] of ways) {
    it(`takes and reports every kind of message: ${name}`, async () => {
      await using peer = await start()

      const { outcomes, events } = await exchange(peer.port, settings)

      assert.deepEqual(new Set(outcomes.map(({ kind }) => kind)), new Set(['SUBMITTED']))
      assert.ok(
        events.every((event) => event.kind === 'RECEIPT' && event.outcome.type === 'DELIVERED'),
      )
    })
  }
}

describe('npm smpp as the SMSC', () => suite(startNpmSmpp))

describe('Net::SMPP as the SMSC', { skip: perl.lacking ?? false }, () =>
  suite(async () => {
    const [port = 0] = await freePorts(1)
    if (perl.lacking !== null) throw new Error(perl.lacking)
    const script = join(import.meta.dirname, 'net-smpp.pl')
    const args = ['-I', join(perl.root, 'usr/share/perl5'), script, String(port)]
    return startPeer(port, 'perl', args, {})
  }),
)

describe('osmo-msc as the SMSC', { skip: osmo.lacking ?? false }, () => {
  for (const [name, settings] of ways) {
    it(`is bound to, and takes every kind of message: ${name}`, async () => {
      if (osmo.lacking !== null) throw new Error(osmo.lacking)
      await using peer = await startOsmoMsc(osmo)

      const { outcomes } = await exchange(peer.port, { ...settings, receipts: 'NONE' })

      assert.deepEqual(new Set(outcomes.map(({ kind }) => kind)), new Set(['SUBMITTED']))
    })
  }
})

describe('an SMSC that ends each link after 100 parts', () => {
  it('takes 1,000 messages within half a minute', async () => {
    let [total, onLink] = [0, 0]
    await using smsc = await startSmsc({
      onBind: () => ((onLink = 0), 0),
      onSubmit: (_, session) => {
        onLink += 1
        if (onLink > 100) return null
        if (onLink === 100) setImmediate(() => session.socket.end())
        return { status: 0, messageId: String((total += 1)) }
      },
    })
    const newId = typeIds(systemClock, systemRandom)
    const ground = { clock: systemClock, random: systemRandom, newId, log: () => {} }
    const given = smppSettings({ port: smsc.port, window: 10 })
    await using carrier = smppType().open('carrier_closing', given, ground)
    await carrier.start(
      async () => {},
      async function* () {},
    )
    const began = performance.now()

    let next = 0
    let taken = 0
    const sender = async (): Promise<void> => {
      while (next < 1000) {
        const message = aMessage({ id: `m${next}` })
        next += 1
        let outcome: SubmitOutcome
        do outcome = await carrier.submit(message, new AbortController().signal)
        while (outcome.kind !== 'SUBMITTED')
        taken += 1
      }
    }
    await Promise.all(Array.from({ length: 20 }, sender))

    const seconds = (performance.now() - began) / 1000
    process.stdout.write(`# 1,000 messages in ${seconds.toFixed(1)} s, ${total} parts taken\n`)
    assert.equal(taken, 1000)
    assert.ok(seconds < 30, `${seconds} s`)
  })
})

describe('an SMSC that throttles', () => {
  for (const [name, admission] of [
    ['counts by the second', perWindow(300, systemClock)],
    ['fills a bucket of 100 ms', perBucket(300, 100, systemClock)],
  ] as const) {
    it(`takes 90 % of 300 parts per second if it ${name}`, async () => {
      const seconds = 20
      let [accepted, refused] = [0, 0]
      await using smsc = await startSmsc({
        onSubmit: () => {
          if (admission()) return { status: 0, messageId: String((accepted += 1)) }
          refused += 1
          return { status: statuses.ESME_RTHROTTLED, messageId: '' }
        },
      })
      const newId = typeIds(systemClock, systemRandom)
      const ground = { clock: systemClock, random: systemRandom, newId, log: () => {} }
      const given = smppSettings({ port: smsc.port, window: 50 })
      await using carrier = smppType().open('carrier_throttled', given, ground)
      await carrier.start(
        async () => {},
        async function* () {},
      )
      await until('it is bound', () => carrier.condition().state === 'BOUND')
      const ending = AbortSignal.timeout(seconds * 1000)

      let next = 0
      const sender = async (): Promise<void> => {
        while (!ending.aborted) await carrier.submit(aMessage({ id: `m${(next += 1)}` }), ending)
      }
      await Promise.all(Array.from({ length: 100 }, sender))

      const share = accepted / (300 * seconds)
      process.stdout.write(`# ${(share * 100).toFixed(1)} % of the rate, ${refused} refused\n`)
      assert.ok(share >= 0.9, `${share}`)
    })
  }
})
