import assert from 'node:assert/strict'
import { connect, createServer as createPlain, type AddressInfo, type Server } from 'node:net'
import { describe, it } from 'node:test'
import { createServer } from 'node:tls'
import { typeIds } from '../../../src/core/id.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import { smppType } from '../../../src/carriers/smpp/smpp.ts'
import { certificate } from '../../delivery/support/certificate.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { virtualClock } from '../../support/virtual-clock.ts'
import { aMessage } from '../support/a-message.ts'
import { until } from '../support/until.ts'
import { smppSettings } from './support/carrier.ts'
import { otherCertificate } from './support/other-certificate.ts'
import { startSmsc } from './support/smsc.ts'

/** An SMSC behind an encrypted connection, as providers put one: what it takes from there it gives on. */
async function openEncrypted(
  settings: JsonObject,
  shown: { readonly key: string; readonly cert: string } | null = certificate,
) {
  const smsc = await startSmsc()
  const server: Server = shown
    ? createServer(shown, (socket) => {
        socket.on('error', () => {})
        socket
          .pipe(connect(smsc.port, '127.0.0.1'))
          .on('error', () => {})
          .pipe(socket)
      })
    : createPlain((socket) =>
        socket
          .on('error', () => {})
          .resume()
          .end('220 welcome\r\n'),
      )
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const clock = virtualClock()
  const random = seededRandom(1)
  const newId = typeIds(clock, random)
  const ground = { clock, random, newId, log: () => {} }
  const own = { host: 'localhost', port, tls: true, ...settings }
  const carrier = smppType().open('c', smppSettings(own), ground)
  await carrier.start(
    async () => {},
    async function* () {},
  )
  return {
    carrier,
    smsc,
    async [Symbol.asyncDispose]() {
      const disposed = carrier[Symbol.asyncDispose]()
      await clock.advance(6000)
      await disposed
      await smsc[Symbol.asyncDispose]()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

describe('an encrypted connection', () => {
  it('leads to an SMSC for which an authority of the operator’s vouches', async () => {
    await using opened = await openEncrypted({ tlsAuthority: certificate.cert })
    const { carrier, smsc } = opened

    await until('it is bound', () => carrier.condition().state === 'BOUND')
    const outcome = await carrier.submit(aMessage({}), new AbortController().signal)

    assert.equal(outcome.kind, 'SUBMITTED')
    assert.equal(smsc.submitted.length, 1)
  })

  it('may be told its address instead of its name', async () => {
    const settings = { host: '127.0.0.1', tlsAuthority: certificate.cert }
    await using opened = await openEncrypted(settings)

    await until('it is bound', () => opened.carrier.condition().state === 'BOUND')

    assert.equal(opened.smsc.sessions.length, 1)
  })

  const refused = {
    'for which nobody vouches whom the machine trusts': [{}, certificate, /SELF_SIGNED/],
    'for which another authority vouches': [
      { tlsAuthority: otherCertificate.cert },
      certificate,
      /SELF_SIGNED|UNABLE_TO/,
    ],
    'of another name': [
      { tlsAuthority: otherCertificate.cert },
      otherCertificate,
      /ERR_TLS_CERT_ALTNAME_INVALID/,
    ],
  } as const
  for (const [which, [settings, shown, reason]] of Object.entries(refused)) {
    it(`is not made to an SMSC ${which}, which is shown no password`, async () => {
      await using opened = await openEncrypted(settings, shown)
      const { carrier, smsc } = opened

      await until('it is refused', () => carrier.condition().state === 'DOWN')

      assert.match(carrier.condition().stateReason ?? '', reason)
      const received = smsc.sessions.flatMap((session) => session.received)
      assert.deepEqual(received, [])
    })
  }

  it('is not made to who speaks in the open', async () => {
    await using opened = await openEncrypted({ tlsAuthority: certificate.cert }, null)

    await until('it is refused', () => opened.carrier.condition().state === 'DOWN')

    assert.match(opened.carrier.condition().stateReason ?? '', /SSL|TLS|EPROTO|closed/i)
  })
})
