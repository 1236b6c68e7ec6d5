import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import {
  systemConnect,
  type SmppConnection,
} from '../../../src/carriers/smpp/session/connection.ts'

/** Connects to an SMSC that reads nothing until it is told to. */
async function connectToSilent(t: TestContext) {
  const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const accepted = once(server, 'connection')
  const { port } = server.address() as AddressInfo
  const opened = Promise.withResolvers<void>()
  const room = Promise.withResolvers<void>()
  const received = Promise.withResolvers<string>()
  const ended = Promise.withResolvers<string>()
  const connection: SmppConnection = systemConnect(
    { host: '127.0.0.1', port, tls: false, tlsAuthority: null },
    {
      onOpen: () => opened.resolve(),
      onOctets: (octets) => received.resolve(octets.toString()),
      onRoom: () => room.resolve(),
      onEnd: (reason) => ended.resolve(reason),
    },
  )
  t.after(() => connection.destroy())
  await opened.promise
  const [smsc]: Socket[] = await accepted
  assert.ok(smsc)
  smsc.on('error', () => {})
  t.after(() => smsc.destroy())
  const answers = { room: room.promise, received: received.promise, ended: ended.promise }
  return { connection, smsc, ...answers }
}

const megabyte = new Uint8Array(2 ** 20)

describe('a connection to an SMSC', () => {
  it(
    'reports a full buffer, and room once the SMSC has read it',
    { timeout: 60_000 },
    async (t) => {
      const { connection, smsc, room } = await connectToSilent(t)

      let written = 0
      while (connection.write(megabyte)) written += 1
      assert.ok(written < 100)
      smsc.resume()

      await room
    },
  )

  it('hands over octets only after it was resumed', { timeout: 60_000 }, async (t) => {
    const { connection, smsc, received } = await connectToSilent(t)
    let isPaused = true

    connection.pause()
    smsc.write('octets')
    const first = received.then((text) => ({ text, isPaused }))
    await new Promise((resolve) => setImmediate(resolve))
    isPaused = false
    connection.resume()

    assert.deepEqual(await first, { text: 'octets', isPaused: false })
  })

  it('reports why it ended', { timeout: 60_000 }, async (t) => {
    const closed = await connectToSilent(t)
    const reset = await connectToSilent(t)

    closed.smsc.resume().end()
    reset.smsc.resetAndDestroy()

    assert.equal(await closed.ended, 'the SMSC closed the connection')
    assert.match(await reset.ended, /^ECONNRESET: /)
  })
})
