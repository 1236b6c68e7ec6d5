import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { faultsByAddress } from '../../src/http/access/faults-by-address.ts'
import { bytesInFlight } from '../../src/http/server/bytes-in-flight.ts'
import { handle } from '../../src/http/server/handle.ts'
import { serve } from '../../src/http/server/server.ts'
import { virtualClock } from '../support/virtual-clock.ts'
import { systemClock } from '../../src/core/ports/clock.ts'
import { hasty } from './support/test-server.ts'

/** Linux alone has more than one loopback address without configuration. */
const needsAddresses = process.platform === 'linux' ? {} : { skip: 'needs several addresses' }

const get = 'GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
const longHead = `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`
const manyFields = `GET / HTTP/1.1\r\nhost: x\r\n${'x: y\r\n'.repeat(200)}\r\n`
const manyPieces =
  'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n' + '1\r\na\r\n'.repeat(18_000)
const longPipeline = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(2000)

describe('What costs the service more than its client', () => {
  for (const [name, sent] of Object.entries({ longHead, manyFields, longPipeline })) {
    it(
      `closes the connections of an address that sends it again and again: ${name}`,
      needsAddresses,
      async (t) => {
        const { ask } = await start(t)

        await Promise.all(Array.from({ length: 15 }, () => ask(sent, '127.0.0.2')))
        const refused = await ask(get, '127.0.0.2')
        const other = await ask(get, '127.0.0.3')

        assert.equal(refused, '')
        assert.match(other, /^HTTP\/1.1 200/)
      },
    )
  }

  it(
    'closes the connections of an address whose bodies come in tiny pieces',
    needsAddresses,
    async (t) => {
      const { ask } = await start(t)

      // The first to end is one that the service closes for the faults of the others.
      await Promise.race(Array.from({ length: 15 }, () => ask(manyPieces, '127.0.0.2')))

      assert.equal(await ask(get, '127.0.0.2'), '')
    },
  )

  it('closes the idle connections of the address, too', needsAddresses, async (t) => {
    const { ask } = await start(t)
    const idle = ask('', '127.0.0.2')

    await Promise.all(Array.from({ length: 15 }, () => ask(manyFields, '127.0.0.2')))

    assert.equal(await idle, '')
  })

  it('closes nothing of a proxy, which connects for many clients', async (t) => {
    const { ask } = await start(t, (address) => address === '127.0.0.1')

    await Promise.all(Array.from({ length: 15 }, () => ask(manyFields, '127.0.0.1')))

    assert.match(await ask(get, '127.0.0.1'), /^HTTP\/1.1 200/)
  })

  it('is a head of more than 200 fields, which gets 431', async (t) => {
    const { ask } = await start(t)

    assert.match(await ask(manyFields, '127.0.0.1'), /^HTTP\/1.1 431[^]*more than 200 fields/)
    assert.match(
      await ask(get.replace('\r\n\r\n', `\r\n${'x: y\r\n'.repeat(190)}\r\n`), '127.0.0.1'),
      / 200 /,
    )
  })
})

describe('Faults of an address', () => {
  it('are free up to a burst, and then one in each interval', async () => {
    const clock = virtualClock()
    const faults = faultsByAddress(clock, { burst: 3, perSecond: 1 })
    const isOver = (address: string): boolean => faults.waitMs(address) > 0

    for (let count = 0; count < 2; count += 1) faults.add('192.0.2.1')
    const before = isOver('192.0.2.1')
    for (let count = 0; count < 2; count += 1) faults.add('192.0.2.1')

    assert.deepEqual([before, isOver('192.0.2.1'), isOver('192.0.2.2')], [false, true, false])
    await clock.advance(2000)
    assert.equal(isOver('192.0.2.1'), false)
  })

  it('count for an IPv4 address in both forms, and for a network of IPv6', () => {
    const faults = faultsByAddress(virtualClock(), { burst: 1, perSecond: 1 })
    faults.add('::ffff:192.0.2.1')
    faults.add('2001:db8:1:2::1')
    faults.add('2001:db8:1:2::1')

    assert.ok(faults.waitMs('192.0.2.1') > 0)
    assert.ok(faults.waitMs('2001:db8:1:2::ffff') > 0)
    assert.ok(faults.waitMs('::ffff:192.0.2.2') <= 0)
    assert.ok(faults.waitMs('2001:db8:1:3::1') <= 0)
  })
})

/** Starts a server; `ask` sends octets from an address and returns what comes until the connection ends. */
async function start(t: TestContext, isProxy: (address: string) => boolean = () => false) {
  const newRequestId = (): string => 'request_1'
  const respond = handle(
    () => ({ status: 200, headers: {}, body: '{}' }),
    newRequestId,
    () => {},
  )
  const server = await serve(
    respond,
    { host: '127.0.0.1', port: 0, maxConnections: 100 },
    { newRequestId, clock: systemClock, inFlight: bytesInFlight(), timeouts: hasty, isProxy },
  )
  t.after(() => server.close())
  const port = Number(new URL(server.url).port)
  const ask = (text: string, localAddress: string): Promise<string> =>
    new Promise((resolve) => {
      let answer = ''
      const socket = connect({ port, host: '127.0.0.1', localAddress }, () => socket.write(text))
      socket.on('data', (chunk) => (answer += chunk.toString()))
      socket.on('error', () => {})
      socket.on('close', () => resolve(answer))
    })
  return { ask }
}
