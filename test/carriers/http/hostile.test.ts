import assert from 'node:assert/strict'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { JsonObject } from '../../../src/core/json.ts'
import { openBench, jsonRequest, plainCallbacks } from './support/bench.ts'
import type { ProviderAnswer } from './support/provider.ts'

const answers = [
  { where: { '/error': ['busy'] }, meaning: 'RETRY', reason: '/error' },
  { status: ['200'], meaning: 'ACCEPTED', id: '/id' },
]

const answering = (answer: ProviderAnswer, settings: JsonObject = {}) =>
  openBench(() => answer, { answers, ...settings })

/** A provider that answers a message as the test writes it, byte by byte. */
async function rawProvider(write: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (data) => {
      if (data.toString().startsWith('HEAD')) socket.end('HTTP/1.1 404 Not Found\r\n\r\n')
      else if (data.toString().startsWith('POST')) write(socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    sockets,
    settings: { request: { url: `http://127.0.0.1:${port}/send`, ...jsonRequest }, answers },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'

describe('A hostile provider over HTTP', () => {
  it('that answers without end is read to a limit, and left', async () => {
    let written = 0
    const left = Promise.withResolvers<void>()
    await using provider = await rawProvider((socket) => {
      socket.write(`${head}transfer-encoding: chunked\r\n\r\n`)
      const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
      const pour = (): void => {
        while (!socket.destroyed && socket.write(chunk)) written += 1
        written += 1
        if (!socket.destroyed) socket.once('drain', pour)
      }
      socket.once('close', () => left.resolve())
      pour()
    })
    await using bench = await openBench(() => ({ status: 200 }), provider.settings)

    const outcome = await bench.submit()
    await left.promise

    assert.equal(outcome.kind, 'SUBMITTED')
    assert.ok(written < 1000, String(written))
    assert.match(
      bench.carrier.condition().lastError?.detail ?? '',
      /^the provider answered 200 without an identifier at \/id: x+$/,
    )
  })

  it('that sends interim responses without end leaves open whether it took the message', async () => {
    await using provider = await rawProvider((socket) => {
      socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(1000))
    })
    await using bench = await openBench(() => ({ status: 200 }), provider.settings)

    const outcome = await bench.submit()

    assert.equal(outcome.kind, 'UNCERTAIN')
  })

  it('that sends its answer drop by drop is given up at the time limit', async () => {
    await using provider = await rawProvider((socket) => void socket.write(`${head}x-a: b`))
    await using bench = await openBench(() => ({ status: 200 }), provider.settings)

    const outcome = bench.submit()
    await bench.until('the request is there', () =>
      [...provider.sockets].some(({ bytesWritten }) => bytesWritten > head.length),
    )
    const slow = [...provider.sockets].find(({ bytesWritten }) => bytesWritten > head.length)
    for (let second = 0; second < 20; second += 1) {
      slow?.write('c')
      await bench.clock.advance(1000)
    }

    assert.deepEqual(await outcome, { kind: 'UNCERTAIN', reason: 'no answer within 20000 ms' })
  })

  for (const [name, raw, kind] of [
    ['no HTTP', 'SSH-2.0-x\r\n', 'UNCERTAIN'],
    ['endless header fields', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(100_000)}`, 'UNCERTAIN'],
    [
      'two lengths',
      'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
      'UNCERTAIN',
    ],
    [
      'a switch of protocols',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      'UNCERTAIN',
    ],
    [
      'a redirection',
      'HTTP/1.1 307 Away\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n',
      'BUSY',
    ],
    [
      'a wait of centuries',
      'HTTP/1.1 429 Slow\r\nretry-after: 99999999999999999999\r\ncontent-length: 0\r\n\r\n',
      'BUSY',
    ],
    [
      'less than its length',
      `${head}content-length: 99\r\nconnection: close\r\n\r\n{"id":"p1"}`,
      'SUBMITTED',
    ],
  ] as const) {
    it(`can answer with ${name}`, async () => {
      await using provider = await rawProvider((socket) => void socket.end(raw))
      await using bench = await openBench(() => ({ status: 200 }), provider.settings)

      const outcome = await bench.submit()

      assert.equal(outcome.kind, kind)
      assert.ok(outcome.kind !== 'BUSY' || outcome.retryAfterMs <= 3_600_000)
    })
  }

  it('that compresses its answer has it shown without control characters', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024))
    await using provider = await rawProvider((socket) => {
      socket.write(`${head}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
      socket.write(bomb)
    })
    await using bench = await openBench(() => ({ status: 200 }), provider.settings)

    const outcome = await bench.submit()

    const { lastError } = bench.carrier.condition()
    assert.equal(outcome.kind, 'SUBMITTED')
    assert.match(lastError?.detail ?? '', /without an identifier/)
    assert.doesNotMatch(lastError?.detail ?? '', /\p{C}/u)
  })

  it('can nest its answer deeply, or name members like functions', async () => {
    const nested = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
    for (const error of [nested, '{"toString":1,"valueOf":1}', '{"__proto__":{"id":1}}']) {
      await using bench = await answering({ status: 200, body: `{"error":${error},"id":"p1"}` })

      assert.deepEqual(await bench.submit(), { kind: 'SUBMITTED', carrierMessageIds: ['p1'] })
    }
  })

  it('can nest the result of a message in a batch', async () => {
    const nested = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
    await using bench = await openBench(
      () => ({ status: 200, body: `{"results":[{"id":"a"},{"code":"bad","x":${nested}}]}` }),
      (url) => ({
        request: { url, json: { items: ['{{body}}'] } },
        batch: { size: 2, items: '/items', results: '/results' },
        answers: [
          { where: { '/results/0/code': ['bad'] }, meaning: 'REJECTED' },
          { status: ['200'], meaning: 'ACCEPTED', id: '/results/0/id' },
        ],
      }),
    )

    const outcomes = await Promise.all([bench.submit({ id: 'one' }), bench.submit({ id: 'two' })])

    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['SUBMITTED', 'REJECTED'],
    )
  })

  it('can name a value twice, with any content type: the last one counts', async () => {
    await using bench = await answering({
      status: 200,
      headers: { 'content-type': 'image/png' },
      body: '{"id":"p1","id":"p2"}',
    })

    assert.deepEqual(await bench.submit(), { kind: 'SUBMITTED', carrierMessageIds: ['p2'] })
  })

  it('can name at most 255 identifiers of a message: more are ignored', async () => {
    const ids = Array.from({ length: 9000 }, (_, index) => index)
    await using bench = await openBench(() => ({ status: 200, body: { ids } }), {
      answers: [{ status: ['200'], meaning: 'ACCEPTED', id: '/ids/*' }],
    })

    const outcome = await bench.submit()

    assert.ok(outcome.kind === 'SUBMITTED')
    assert.equal(outcome.carrierMessageIds.length, 255)
  })
})

describe('A hostile callback', () => {
  const where = { '/kind': ['status'] }
  const receipt = { id: '/id', status: '/state', statuses: { done: 'DELIVERED' } }
  const open = () =>
    openBench(() => ({ status: 200 }), {
      ...plainCallbacks,
      callbacks: [{ name: 'receipts', where, receipt }],
    })

  it('can nest deeply, or name members like functions', async () => {
    await using bench = await open()
    const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`

    for (const kind of [nested, '{"toString":1,"valueOf":1}', 'null', '{}']) {
      const outcome = await bench.call({ body: `{"id":"p1","state":"done","kind":${kind}}` })

      assert.equal(outcome.kind, 'NOT_UNDERSTOOD')
    }
    const root = await bench.call({ body: nested })
    assert.equal(root.kind, 'NOT_UNDERSTOOD')
    assert.equal(bench.events.length, 0)
  })
})
