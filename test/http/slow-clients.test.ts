import assert from 'node:assert/strict'
import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { connect, Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { accountId } from '../../src/core/account.ts'
import { systemClock } from '../../src/core/ports/clock.ts'
import { Problem } from '../../src/core/problem.ts'
import { bytesInFlight, type InFlightLimits } from '../../src/http/server/bytes-in-flight.ts'
import { holdResponse } from '../../src/http/routing/operate.ts'
import { handle, type Respond } from '../../src/http/server/handle.ts'
import { type PlainResponse, received } from '../../src/http/server/request.ts'
import { serve, type Server, type ServerTimeouts } from '../../src/http/server/server.ts'
import { responseWriter } from '../../src/http/server/write-response.ts'

const ours = accountId('ours')
const theirs = accountId('theirs')

interface Options {
  readonly maxConnections?: number
  readonly timeouts?: ServerTimeouts
  readonly limits?: InFlightLimits
}

const hasty: ServerTimeouts = { requestTimeoutMs: 30_000, checkEveryMs: 20, idleMs: 0 }

async function start(
  t: TestContext,
  respond: Respond,
  { maxConnections = 100, timeouts = hasty, limits }: Options = {},
): Promise<Server> {
  const newRequestId = (): string => 'request_1'
  const answer = handle(respond, newRequestId, () => {})
  const address = { host: '127.0.0.1', port: 0, maxConnections }
  const parts = { newRequestId, clock: systemClock, inFlight: bytesInFlight(limits), timeouts }
  const server = await serve(answer, address, parts)
  t.after(() => server.close())
  return server
}

async function open(t: TestContext, { url }: Server): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  t.after(() => socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

const nothing: Respond = async () => ({ status: 200, headers: {}, body: '{}' })

const readBody: Respond = async (request) => {
  await received(request, ours)
  return { status: 200, headers: {}, body: '{}' }
}

describe('Octets in flight', () => {
  const limits = { bytesPerAccountMax: 100, bytesInTotalMax: 150 }

  it('are bounded per account and in total, until they are released', () => {
    const inFlight = bytesInFlight(limits)
    const [first, second, other] = [inFlight.hold(ours), inFlight.hold(ours), inFlight.hold(theirs)]

    first.add(80)
    assert.throws(() => second.add(21), { problem: 'too-many-requests' })
    assert.throws(() => other.add(71), { problem: 'unavailable' })
    first.release()
    first.release()
    second.add(100)
    other.add(50)
    assert.throws(() => other.add(1), { problem: 'unavailable' })
  })

  it('leave no room for a page once an account holds more than half', () => {
    const inFlight = bytesInFlight(limits)
    const held = inFlight.hold(ours)

    held.add(50)
    inFlight.checkRoom(ours)
    held.add(1)

    assert.throws(() => inFlight.checkRoom(ours), { problem: 'too-many-requests' })
    inFlight.checkRoom(theirs)
  })

  it('name the time after which the client can retry', () => {
    const held = bytesInFlight(limits).hold(ours)

    try {
      held.add(101)
      assert.fail('not refused')
    } catch (error) {
      assert.ok(error instanceof Problem)
      assert.equal(error.headers['retry-after'], '1')
    }
  })

  it('include a response of more than 64 KiB, until it is written', () => {
    const inFlight = bytesInFlight({ bytesPerAccountMax: 65_537, bytesInTotalMax: 1_000_000 })
    const hold = (body: PlainResponse['body']): PlainResponse =>
      holdResponse(inFlight, ours, { status: 200, headers: {}, body })
    const long = 'x'.repeat(65_537)

    for (const body of [null, 'x'.repeat(65_536), new Uint8Array(65_537)]) {
      assert.equal(hold(body).written, undefined)
    }
    const held = hold(long)
    assert.throws(() => hold(long), { problem: 'too-many-requests' })
    held.written?.()
    assert.notEqual(hold(long).written, undefined)
  })

  it('include the bodies of requests', async (t) => {
    const server = await start(t, readBody, {
      limits: { bytesPerAccountMax: 50_000, bytesInTotalMax: 1_000_000 },
    })
    const head = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n'
    const socket = await open(t, server)

    // Its length alone is too much.
    socket.write(head)
    const [answer] = await once(socket, 'data')

    assert.match(String(answer), /^HTTP\/1\.1 429 /)
    const after = await fetch(server.url, { method: 'POST', body: 'x'.repeat(40_000) })
    assert.equal(after.status, 200)
  })
})

describe('A long response', () => {
  it('arrives whole, wherever it is cut', async (t) => {
    const text = `a${'😀'.repeat(200_000)}`
    const server = await start(t, async () => ({ status: 200, headers: {}, body: text }))

    const answer = await fetch(server.url)

    assert.equal(await answer.text(), text)
  })

  it('is dropped, and its connection closed, if the client does not read it', async (t) => {
    const written = Promise.withResolvers<void>()
    const body = 'x'.repeat(20_000_000)
    const server = await start(t, async () => {
      return { status: 200, headers: {}, body, written: () => written.resolve() }
    })
    const socket = await open(t, server)
    socket.pause()

    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')

    await written.promise
  })

  it('is over at once if its client left before it', async () => {
    const response = new ServerResponse(new IncomingMessage(new Socket()))
    response.destroy()
    let times = 0
    const content = { status: 200, headers: {}, body: '{}', written: () => void (times += 1) }

    const write = responseWriter(new AbortController().signal, systemClock)
    write({ response, body: null, content })
    await new Promise((resolve) => setImmediate(resolve))

    assert.equal(times, 1)
  })

  it('arrives at a client that reads slowly', async (t) => {
    const body = 'x'.repeat(8_000_000)
    const server = await start(t, async () => ({ status: 200, headers: {}, body }))
    const socket = await open(t, server)
    socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')

    let length = 0
    for await (const chunk of socket) {
      length += chunk.length
      await new Promise((resolve) => setImmediate(resolve))
    }

    assert.ok(length > body.length)
  })
})

describe('A body in pieces of one octet', () => {
  it('is answered 413', async (t) => {
    const server = await start(t, readBody)
    const socket = await open(t, server)

    socket.write('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n')
    socket.write('1\r\na\r\n'.repeat(20_000))
    const [answer] = await once(socket, 'data')

    assert.match(String(answer), /^HTTP\/1\.1 413 /)
  })
})

describe('The rest of a refused body', () => {
  it('is not read without end', async (t) => {
    const refuse: Respond = () => {
      throw new Problem('unauthorized', 'No key.')
    }
    const server = await start(t, refuse)
    const socket = await open(t, server)
    const answered = once(socket, 'data')
    const closed = new Promise((resolve) => socket.once('close', resolve))

    socket.write('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n')
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
    // Far more than the buffers of the system take: the client is never asked for all of it.
    let sent = 0
    for (let count = 0; count < 1000; count += 1) {
      socket.write(chunk, (error) => {
        if (!(error instanceof Error)) sent += chunk.length
      })
    }
    const [answer] = await answered
    await closed

    assert.match(String(answer), /^HTTP\/1\.1 401 /)
    assert.ok(sent < 30_000_000, `${sent} octets`)
  })
})

describe('A body that arrives too slowly', () => {
  it('is answered 408', async (t) => {
    const server = await start(t, readBody)
    const socket = await open(t, server)

    socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nx')
    const [answer] = await once(socket, 'data')

    assert.match(String(answer), /^HTTP\/1\.1 408 /)
  })
})

describe('Too many connections', () => {
  it('close those that are idle for longest, and new ones are served', async (t) => {
    const server = await start(t, nothing, { maxConnections: 3 })
    const used = await open(t, server)
    used.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await once(used, 'data')
    const idle = await open(t, server)
    const ended = once(idle, 'close')
    await open(t, server)

    const answer = await fetch(server.url)
    await ended
    used.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    const [again] = await once(used, 'data')

    assert.equal(answer.status, 200)
    assert.match(String(again), /^HTTP\/1\.1 200 /)
  })

  it('are refused while all others have requests', async (t) => {
    const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const wait: Respond = async () => {
      arrived.resolve()
      await released.promise
      return { status: 200, headers: {}, body: '{}' }
    }
    const server = await start(t, wait, { maxConnections: 1 })
    const first = fetch(server.url)
    await arrived.promise

    await assert.rejects(fetch(server.url))
    released.resolve()

    assert.equal((await first).status, 200)
  })
})
