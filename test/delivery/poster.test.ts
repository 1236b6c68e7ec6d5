import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { systemClock } from '../../src/core/ports/clock.ts'
import {
  type AddressLookup,
  egressGuard,
  isOwnAddress,
  networks,
} from '../../src/delivery/egress/guard.ts'
import type { Posted, PostRequest } from '../../src/delivery/egress/post.ts'
import { poster, type Poster } from '../../src/delivery/egress/poster.ts'
import { settle } from '../support/virtual-clock.ts'
import { certificate } from './support/certificate.ts'
import { receiverServer } from './support/receiver-server.ts'

const never = new AbortController().signal

describe('a request to a receiver', () => {
  it('carries the body and the headers it is given, and asks for no compression', async () => {
    await using receiver = await receiverServer((response) => response.writeHead(204).end())
    await using out = aPoster()

    const posted = await post(out, `${receiver.origin}/hook?tenant=7`, {
      headers: { 'content-type': 'application/json', 'webhook-id': 'batch_1' },
      body: Buffer.from('[{"id":"message_1","body":"é"}]'),
    })

    assert.deepEqual(posted, { outcome: { kind: 'ACCEPTED', status: 204 }, response: '' })
    const [seen] = receiver.seen
    assert.equal(seen?.method, 'POST')
    assert.equal(seen?.path, '/hook?tenant=7')
    assert.equal(seen?.body, '[{"id":"message_1","body":"é"}]')
    assert.equal(seen?.headers['webhook-id'], 'batch_1')
    assert.equal(seen?.headers['content-length'], '32')
    assert.equal(seen?.headers['accept-encoding'], undefined)
  })

  it('uses a connection again', async () => {
    await using receiver = await receiverServer((response) => response.end('ok'))
    await using out = aPoster()

    for (let count = 0; count < 5; count += 1) {
      await post(out, receiver.origin)
      await settle()
    }

    assert.equal(receiver.seen.length, 5)
    assert.equal(receiver.sockets.length, 1)
  })

  it('is not sent any more when its time was over before there was a connection', async () => {
    await using receiver = await receiverServer((response) => response.end())
    let found: (addresses: readonly string[]) => void = () => {}
    const slow: AddressLookup = () => new Promise((resolve) => (found = resolve))
    await using out = aPoster({ lookup: slow })

    const late = await post(out, `http://slow.test:${receiver.port}/late`, { timeoutMs: 30 })
    found(['127.0.0.1'])
    const next = post(out, `http://slow.test:${receiver.port}/next`)
    while (receiver.sockets.length === 0) await settle(1)
    found(['127.0.0.1'])
    await next

    assert.equal(late.outcome.kind, 'TIMEOUT')
    assert.deepEqual(
      receiver.seen.map(({ path }) => path),
      ['/next'],
    )
  })
})

describe('an answer', () => {
  const statuses: readonly [number, Posted['outcome']][] = [
    [200, { kind: 'ACCEPTED', status: 200 }],
    [299, { kind: 'ACCEPTED', status: 299 }],
    [304, { kind: 'REFUSED', status: 304, retryAfter: null }],
    [400, { kind: 'REFUSED', status: 400, retryAfter: null }],
    [410, { kind: 'GONE', status: 410 }],
    [500, { kind: 'REFUSED', status: 500, retryAfter: null }],
  ]
  for (const [status, outcome] of statuses) {
    it(`of ${status} makes the attempt ${outcome.kind}`, async () => {
      await using receiver = await receiverServer((response) => response.writeHead(status).end())
      await using out = aPoster()

      assert.deepEqual((await post(out, receiver.origin)).outcome, outcome)
    })
  }

  it('that redirects is not followed', async () => {
    await using receiver = await receiverServer((response) =>
      response.writeHead(307, { location: '/elsewhere' }).end(),
    )
    await using out = aPoster()

    const { outcome } = await post(out, receiver.origin)

    assert.deepEqual(outcome, { kind: 'REFUSED', status: 307, retryAfter: null })
    assert.equal(receiver.seen.length, 1)
  })

  it('hands on its Retry-After', async () => {
    await using receiver = await receiverServer((response) =>
      response.writeHead(503, { 'retry-after': '120' }).end(),
    )
    await using out = aPoster()

    const { outcome } = await post(out, receiver.origin)

    assert.deepEqual(outcome, { kind: 'REFUSED', status: 503, retryAfter: '120' })
  })

  it('is not waited for after more than 16 interim answers', async () => {
    await using receiver = await receiverServer((response) => {
      for (let count = 0; count < 17; count += 1) response.writeProcessing()
      response.end('done')
    })
    await using out = aPoster()

    const { outcome } = await post(out, receiver.origin)

    assert.equal(outcome.kind, 'UNREACHABLE')
    assert.match(JSON.stringify(outcome), /too many interim responses/)
  })

  it('may be announced by interim answers', async () => {
    await using receiver = await receiverServer((response) => {
      response.writeProcessing()
      response.writeEarlyHints({ link: '</a>; rel=preload' })
      response.end('done')
    })
    await using out = aPoster()

    const posted = await post(out, receiver.origin)

    assert.deepEqual(posted, { outcome: { kind: 'ACCEPTED', status: 200 }, response: 'done' })
  })

  it('is kept up to 4 KiB, without half a character at the end', async () => {
    await using receiver = await receiverServer((response) => response.end(`x${'é'.repeat(9000)}`))
    await using out = aPoster()

    const { response } = await post(out, receiver.origin)

    assert.equal(response, `x${'é'.repeat(2047)}`)
  })

  it('is kept as text, whatever its octets', async () => {
    await using receiver = await receiverServer((response) =>
      response.end(Buffer.from([0x61, 0x00, 0xff, 0x62, 0xc3])),
    )
    await using out = aPoster()

    const { response } = await post(out, receiver.origin)

    assert.equal(response, 'a\ufffdb\ufffd')
  })

  it('that does not end is cut after 64 KiB, and its connection closed', async () => {
    await using receiver = await receiverServer((response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      }
      response.on('drain', more)
      more()
    })
    await using out = aPoster()

    const { outcome, response } = await post(out, receiver.origin)
    while (!receiver.sockets.every((socket) => socket.closed)) await settle(1)

    assert.deepEqual(outcome, { kind: 'ACCEPTED', status: 200 })
    assert.equal(response?.length, 4096)
    assert.ok(receiver.sockets.every((socket) => socket.bytesWritten < 16 * 1024 * 1024))
  })

  it('that is too long leaves no connection to be used again', async () => {
    await using receiver = await receiverServer((response) => response.end('x'.repeat(200_000)))
    await using out = aPoster()

    const first = await post(out, receiver.origin)
    const second = await post(out, receiver.origin)

    assert.deepEqual(
      [first.outcome, second.outcome],
      Array(2).fill({ kind: 'ACCEPTED', status: 200 }),
    )
    assert.equal(receiver.sockets.length, 2)
  })

  it('that is compressed is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024))
    await using receiver = await receiverServer((response) =>
      response.writeHead(500, { 'content-encoding': 'gzip' }).end(bomb),
    )
    await using out = aPoster()

    const { outcome, response } = await post(out, receiver.origin)

    assert.equal(outcome.kind, 'REFUSED')
    assert.ok((response ?? '').length <= 4096)
  })

  for (const status of [200, 503]) {
    it(`of ${status} counts although its body never ends`, async () => {
      await using receiver = await receiverServer((response) =>
        response.writeHead(status).write('begun'),
      )
      await using out = aPoster()

      const posted = await post(out, receiver.origin, { timeoutMs: 150 })

      assert.equal(posted.outcome.kind, status === 200 ? 'ACCEPTED' : 'REFUSED')
      assert.equal(posted.response, 'begun')
    })
  }

  it('of 200 counts although its body breaks off', async () => {
    await using receiver = await receiverServer((response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('begun', () => response.destroy())
    })
    await using out = aPoster()

    const posted = await post(out, receiver.origin)

    assert.deepEqual(posted, { outcome: { kind: 'ACCEPTED', status: 200 }, response: 'begun' })
  })
})

describe('a receiver that does not answer', () => {
  it('ends as TIMEOUT when its time is over', async () => {
    await using receiver = await receiverServer(() => {})
    await using out = aPoster()

    const posted = await post(out, receiver.origin, { timeoutMs: 50 })

    assert.deepEqual(posted, {
      outcome: { kind: 'TIMEOUT', detail: 'no answer within 50 ms' },
      response: null,
    })
  })

  it('ends as TIMEOUT although it dribbles its header', async () => {
    await using server = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const dribble = setInterval(() => socket.write('x-slow: yes\r\n'), 10)
      socket.on('close', () => clearInterval(dribble))
    })
    await using out = aPoster()

    const { outcome } = await post(out, server.origin, { timeoutMs: 100 })

    assert.equal(outcome.kind, 'TIMEOUT')
  })

  const rude: readonly [title: string, serve: (socket: Socket) => void, detail: RegExp][] = [
    ['closes at once', (socket) => socket.destroy(), /closed|reset/],
    ['closes in the header', (socket) => socket.end('HTTP/1.1 200 OK\r\nx-half'), /./],
    ['speaks something else', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), /not HTTP/],
    [
      'sends a header without end',
      (socket) => {
        socket.on('error', () => {})
        socket.write(`HTTP/1.1 200 OK\r\n${'x-large: yes\r\n'.repeat(5000)}`)
      },
      /header of its answer is too large/,
    ],
  ]
  for (const [title, serve, detail] of rude) {
    it(`ends as UNREACHABLE where it ${title}`, async () => {
      await using server = await rawServer((socket) => socket.once('data', () => serve(socket)))
      await using out = aPoster()

      const { outcome } = await post(out, server.origin)

      assert.equal(outcome.kind, 'UNREACHABLE')
      assert.match('detail' in outcome ? outcome.detail : '', detail)
    })
  }

  it('ends as UNREACHABLE where nothing listens or the name does not resolve', async () => {
    const closed = await rawServer(() => {})
    await closed[Symbol.asyncDispose]()
    const lookup: AddressLookup = () =>
      Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' }))
    await using out = aPoster({ lookup })

    const refused = await post(out, closed.origin)
    const unknown = await post(out, 'http://nowhere.test/')

    assert.deepEqual(refused.outcome, {
      kind: 'UNREACHABLE',
      detail: 'the connection was refused',
    })
    assert.deepEqual(unknown.outcome, { kind: 'UNREACHABLE', detail: 'its name does not resolve' })
  })

  it('is left at once when the service stops', async () => {
    await using receiver = await receiverServer(() => stopping.abort())
    const stopping = new AbortController()
    await using out = aPoster()

    const { outcome } = await out.post(aRequest(receiver.origin), stopping.signal)
    const again = await out.post(aRequest(receiver.origin), stopping.signal)

    assert.deepEqual(outcome, { kind: 'UNREACHABLE', detail: 'the service stopped' })
    assert.deepEqual(again.outcome, outcome)
    assert.equal(receiver.seen.length, 1)
  })

  it('is not asked with a header that HTTP does not allow', async () => {
    await using receiver = await receiverServer((response) => response.end())
    await using out = aPoster()

    const { outcome } = await post(out, receiver.origin, { headers: { 'x-a': 'b\r\nx-c: d' } })

    assert.equal(outcome.kind, 'UNREACHABLE')
    assert.equal(receiver.seen.length, 0)
  })
})

describe('a request over TLS', () => {
  it('is sent to a receiver whose certificate is for its name', async () => {
    await using receiver = await receiverServer((response) => response.end(), { tls: true })
    await using out = aPoster({ ca: certificate.cert, lookup: to('127.0.0.1') })

    const named = await post(out, `https://receiver.test:${receiver.port}/`)
    const literal = await post(out, receiver.origin)

    assert.equal(named.outcome.kind, 'ACCEPTED')
    assert.equal(literal.outcome.kind, 'ACCEPTED')
    assert.equal(receiver.seen[0]?.headers.host, `receiver.test:${receiver.port}`)
  })

  it('is not sent to another', async () => {
    await using receiver = await receiverServer((response) => response.end(), { tls: true })
    await using trusting = aPoster({ ca: certificate.cert, lookup: to('127.0.0.1') })
    await using strict = aPoster()

    const otherName = await post(trusting, `https://other.test:${receiver.port}/`)
    const selfSigned = await post(strict, receiver.origin)

    assert.deepEqual(otherName.outcome, {
      kind: 'UNREACHABLE',
      detail: 'its certificate is for another name',
    })
    assert.deepEqual(selfSigned.outcome, {
      kind: 'UNREACHABLE',
      detail: 'its certificate is self-signed',
    })
    assert.equal(receiver.seen.length, 0)
  })
})

describe('the guard on the way out', () => {
  it('lets nothing go to an address that is not public', async () => {
    await using receiver = await receiverServer((response) => response.end())
    await using out = aPoster({ allowed: [], lookup: to('127.0.0.1', '::1') })

    const urls = [
      receiver.origin,
      `http://[::ffff:127.0.0.1]:${receiver.port}/`,
      `https://0x7f.1:${receiver.port}/`,
      `https://receiver.test:${receiver.port}/`,
      `https://localhost:${receiver.port}/`,
    ]
    const posted = await Promise.all(urls.map((url) => post(out, url)))

    assert.deepEqual(
      posted.map(({ outcome }) => outcome.kind),
      urls.map(() => 'BLOCKED'),
    )
    assert.equal(receiver.sockets.length, 0)
  })

  it('does not tell where a name leads', async () => {
    await using out = aPoster({ allowed: [], lookup: to('10.1.2.3') })

    const { outcome } = await post(out, 'https://internal.test/')

    assert.deepEqual(outcome, {
      kind: 'BLOCKED',
      detail: 'its name leads to an address that webhooks may not reach',
    })
  })

  it('sends plain http only where the operator allows the network', async () => {
    await using out = aPoster({ allowed: ['10.0.0.0/8'], lookup: to('93.184.216.34') })

    const { outcome } = await post(out, 'http://public.test/')

    assert.equal(outcome.kind, 'BLOCKED')
  })

  it('goes to the permitted ones of several addresses', async () => {
    await using receiver = await receiverServer((response) => response.end(), { host: '0.0.0.0' })
    const lookup = to('127.0.0.2', '10.0.0.1', '127.0.0.1')
    await using out = aPoster({ allowed: ['127.0.0.1'], lookup })

    const { outcome } = await post(out, `http://mixed.test:${receiver.port}/`)

    assert.equal(outcome.kind, 'ACCEPTED')
    assert.deepEqual(receiver.addresses, ['127.0.0.1'])
  })

  it('lets nothing go to the service itself, by whatever name', async () => {
    await using receiver = await receiverServer((response) => response.end())
    const own = { port: () => receiver.port, has: isOwnAddress }
    const guard = egressGuard(networks(['127.0.0.0/8']), own)
    await using out = poster({ guard, lookup: to('127.0.0.1'), clock: systemClock })

    const urls = [`http://127.0.0.1:${receiver.port}/`, `http://itself.test:${receiver.port}/`]
    const posted = await Promise.all(urls.map((url) => post(out, url)))

    assert.deepEqual(
      posted.map(({ outcome }) => outcome.kind),
      ['BLOCKED', 'BLOCKED'],
    )
    assert.equal(receiver.seen.length, 0)
  })

  it('is not deceived by a name that leads elsewhere the second time', async () => {
    await using receiver = await receiverServer(
      (response) => response.setHeader('connection', 'close').end(),
      { host: '0.0.0.0' },
    )
    const answers = [['127.0.0.1'], ['127.0.0.2'], ['169.254.169.254'], ['127.0.0.1']]
    let asked = 0
    const rebinding: AddressLookup = async () => answers[asked++] ?? []
    await using out = aPoster({ allowed: ['127.0.0.1'], lookup: rebinding })

    const kinds: string[] = []
    for (const _ of answers) {
      kinds.push((await post(out, `http://rebinding.test:${receiver.port}/`)).outcome.kind)
    }

    assert.deepEqual(kinds, ['ACCEPTED', 'BLOCKED', 'BLOCKED', 'ACCEPTED'])
    assert.equal(asked, 4)
    assert.deepEqual(receiver.addresses, ['127.0.0.1', '127.0.0.1'])
  })
})

interface Given {
  readonly allowed?: readonly string[]
  readonly lookup?: AddressLookup
  readonly ca?: string
}

function aPoster({ allowed = ['127.0.0.0/8'], lookup = to(), ca }: Given = {}): Poster {
  const guard = egressGuard(networks(allowed))
  return poster({ guard, lookup, clock: systemClock, ...(ca === undefined ? {} : { ca }) })
}

function to(...addresses: readonly string[]): AddressLookup {
  return async () => addresses
}

function aRequest(url: string, given: Partial<PostRequest> = {}): PostRequest {
  const body = Buffer.from('[]')
  return { url: new URL(url), headers: {}, body, timeoutMs: 5000, ...given }
}

function post(out: Poster, url: string, given: Partial<PostRequest> = {}): Promise<Posted> {
  return out.post(aRequest(url, given), never)
}

async function rawServer(
  serve: (socket: Socket) => void,
): Promise<{ origin: string } & AsyncDisposable> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    sockets.push(socket)
    serve(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
