import assert from 'node:assert/strict'
import { createServer, IncomingMessage, type RequestListener } from 'node:http'
import { connect, Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Problem } from '../../src/core/problem.ts'
import { bytesInFlight } from '../../src/http/server/bytes-in-flight.ts'
import { requestBody } from '../../src/http/server/request-body.ts'

const bytesMax = 1_048_576

function arriving(headers: Readonly<Record<string, string>> = {}): IncomingMessage {
  const request = new IncomingMessage(new Socket())
  Object.assign(request.headers, headers)
  return request
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Starts a server and connects to it. */
async function clientOf(t: TestContext, handle: RequestListener): Promise<Socket> {
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  const client = connect(address.port, '127.0.0.1')
  t.after(() => {
    client.destroy()
    server.closeAllConnections()
    server.close()
  })
  return client
}

const usedHeap = (): number => {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  assert.ok(typeof collect === 'function')
  collect()
  return process.memoryUsage().heapUsed
}

describe('The body of a request', () => {
  it('may have 1 MiB, and not an octet more, however it comes', async () => {
    const received = async (sizes: readonly number[], headers = {}) => {
      const request = arriving(headers)
      const body = requestBody(request, bytesMax, () => {}, bytesInFlight()).receive(null)
      for (const size of sizes) request.emit('data', Buffer.alloc(size, 'x'))
      request.emit('end')
      return Buffer.from(await body)
    }

    for (const sizes of [
      [bytesMax],
      [1, bytesMax - 1],
      [bytesMax - 1, 1],
      [5000, 1, bytesMax - 5001],
    ]) {
      assert.equal((await received(sizes)).compare(Buffer.alloc(bytesMax, 'x')), 0)
      await assert.rejects(received([...sizes, 1]), Problem)
    }
    assert.equal(
      (await received([bytesMax], { 'content-length': String(bytesMax) })).length,
      bytesMax,
    )
    await assert.rejects(received([], { 'content-length': String(bytesMax + 1) }), Problem)
    assert.equal((await received([])).length, 0)
  })

  it('is asked for once, and only if it has not come yet', async () => {
    const [early, late] = [arriving(), arriving()]
    const asked: string[] = []
    const came = requestBody(early, bytesMax, () => asked.push('early'), bytesInFlight())
    const comes = requestBody(late, bytesMax, () => asked.push('late'), bytesInFlight())

    early.emit('data', Buffer.from('early'))
    early.emit('end')
    const waiting = comes.receive(null)
    late.emit('data', Buffer.from('late'))
    late.emit('end')

    assert.equal(String(await came.receive(null)), 'early')
    assert.equal(String(await waiting), 'late')
    assert.deepEqual(asked, ['late'])
  })

  it('waits in the connection beyond 16 KiB or 1,024 pieces until it is asked for', async () => {
    const stopped = async (first: Buffer[], second: Buffer) => {
      const request = arriving()
      const body = requestBody(request, bytesMax, () => {}, bytesInFlight())
      const states: boolean[] = []
      const note = async (): Promise<void> => {
        await Promise.resolve()
        states.push(request.socket.isPaused())
      }
      for (const piece of first) request.emit('data', piece)
      await note()
      request.emit('data', second)
      await note()
      void body.receive(null)
      await note()
      return states
    }
    const octet = Buffer.alloc(1)

    assert.deepEqual(await stopped([Buffer.alloc(16_383)], octet), [false, true, false])
    const octets = Array.from({ length: 1023 }, () => octet)
    assert.deepEqual(await stopped(octets, octet), [false, true, false])
  })

  it('holds no pieces of a connection that sends on, before it is asked for', async (t) => {
    const requests: IncomingMessage[] = []
    const client = await clientOf(t, (request) => {
      requests.push(request)
      requestBody(request, bytesMax, () => {}, bytesInFlight())
    })

    client.write('POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n')
    client.write('1\r\na\r\n'.repeat(200_000))
    while (requests[0]?.socket.isPaused() !== true) await turn()
    for (let count = 0; count < 100; count += 1) await turn()

    assert.equal(requests[0].readableLength, 0)
    assert.ok(requests[0].socket.bytesRead < 200_000)
  })

  it('lets the connection be read on once it has come, also if it is asked for later', async (t) => {
    const client = await clientOf(t, (request, response) => {
      const body = requestBody(request, bytesMax, () => {}, bytesInFlight())
      request.on('end', () => {
        void (async () => response.end(`${(await body.receive(null)).length} octets;`))()
      })
    })
    const octets = 20_000
    const post = `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${octets}\r\n\r\n${'x'.repeat(octets)}`
    let responses = ''
    client.on('data', (chunk) => (responses += String(chunk)))

    for (const count of [1, 2, 3]) {
      client.write(post)
      while (responses.split(`${octets} octets;`).length <= count) await turn()
    }
  })

  it('is read no more beyond 256 KiB or 1,024 pieces once discarded; the pieces are one fault', async () => {
    const discarded = async (sizes: readonly number[]) => {
      const request = arriving()
      let faults = 0
      const fault = (): void => void (faults += 1)
      requestBody(request, bytesMax, () => {}, bytesInFlight(), fault).discard()
      for (const size of sizes) request.emit('data', Buffer.alloc(size))
      await Promise.resolve()
      return [request.socket.isPaused(), faults]
    }
    const octets = (count: number) => Array.from({ length: count }, () => 1)

    assert.deepEqual(await discarded([262_143, 1]), [false, 0])
    assert.deepEqual(await discarded([262_144, 1]), [true, 0])
    assert.deepEqual(await discarded(octets(1024)), [false, 0])
    assert.deepEqual(await discarded(octets(1025)), [true, 1])
    assert.deepEqual(await discarded(octets(1100)), [true, 1])
  })

  it('is refused if the connection ends in it', async () => {
    const request = arriving()
    const body = requestBody(request, bytesMax, () => {}, bytesInFlight()).receive(null)

    request.emit('data', Buffer.from('half'))
    request.emit('close')

    await assert.rejects(async () => body, Problem)
  })

  it('may come in 16,384 pieces, and takes the memory of its octets', async () => {
    const [whole, refused] = [arriving(), arriving()].map((request) => ({
      request,
      body: requestBody(request, bytesMax, () => {}, bytesInFlight()),
    }))
    assert.ok(whole !== undefined && refused !== undefined)
    const octet = (): Buffer => Buffer.from('x')
    const before = usedHeap()

    for (let count = 0; count < 16_384; count += 1) whole.request.emit('data', octet())
    const grown = usedHeap() - before
    whole.request.emit('end')
    for (let count = 0; count < 16_385; count += 1) refused.request.emit('data', octet())

    assert.equal((await whole.body.receive(null)).length, 16_384)
    assert.ok(grown < 200_000, `the heap grew by ${grown} octets`)
    assert.throws(() => refused.body.receive(null), { problem: 'content-too-large' })
  })
})
