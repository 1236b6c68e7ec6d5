import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { Problem } from '../../src/core/problem.ts'
import { echo, raw, startServer } from './support/test-server.ts'

describe('The server', () => {
  it('hands a request on as it came and writes the answer as it is', async (t) => {
    const { url } = await startServer(t, echo)

    const answer = await fetch(`${url}/v1/a%20b?x=1&x=2`, { method: 'PATCH', body: '{"ä":1}' })

    assert.equal(answer.headers.get('x-seen'), 'PATCH /v1/a%20b?x=1&x=2')
    assert.equal(answer.headers.get('content-type'), 'application/json')
    assert.equal(answer.headers.get('content-length'), '8')
    assert.equal(await answer.text(), '{"ä":1}')
  })

  for (const method of ['PROPFIND', 'TRACE', 'OPTIONS', 'DELETE']) {
    it(`leaves it to others what ${method} means`, async (t) => {
      const { url } = await startServer(t, echo)

      const seen = await new Promise((resolve, reject) => {
        httpRequest(`${url}/v1`, { method }, (response) => {
          response.resume()
          resolve(response.headers['x-seen'])
        })
          .on('error', reject)
          .end()
      })

      assert.equal(seen, `${method} /v1`)
    })
  }

  it('answers 501 for a method that Node does not know, and 400 for what is no request', async (t) => {
    const { url } = await startServer(t, echo)

    const brewed = await raw(url, 'BREW /v1/contacts HTTP/1.1\r\nhost: a\r\n\r\n')
    const noise = await raw(url, 'B(EW /v1/contacts HTTP/1.1\r\nhost: a\r\n\r\n')

    assert.match(brewed, /^HTTP\/1\.1 501 Not Implemented\r\n/)
    assert.match(brewed, /"type":"\/problems\/not-implemented"/)
    assert.match(brewed, /"instance":"\/v1[^"?]*"/)
    assert.match(noise, /^HTTP\/1\.1 400 Bad Request\r\n/)
  })

  it('hands a long target on, so that it can be answered 414', async (t) => {
    const { url } = await startServer(t, echo)
    const target = `/v1/messages?id=${'x'.repeat(20_000)}`

    const answer = await fetch(url + target)

    assert.equal(answer.headers.get('x-length'), String(target.length))
  })

  it('refuses a body over 1 MiB with a problem', async (t) => {
    const { url } = await startServer(t, echo)

    const within = await fetch(url, { method: 'POST', body: 'x'.repeat(1_048_576) })
    const beyond = await fetch(url, { method: 'POST', body: 'x'.repeat(1_048_577) })

    assert.equal(within.status, 200)
    assert.equal(beyond.status, 413)
    assert.equal(beyond.headers.get('content-type'), 'application/problem+json')
  })

  for (const [title, framing] of [
    ['a length', 'content-length: 1048577'],
    ['chunks', 'transfer-encoding: chunked'],
  ] as const) {
    it(`closes the connection after a 413 to a body with ${title}`, async (t) => {
      const { url } = await startServer(t, echo)
      const body = framing.endsWith('chunked')
        ? `100001\r\n${'x'.repeat(1_048_577)}\r\n`
        : 'x'.repeat(1000)

      const text = `POST /v1 HTTP/1.1\r\nhost: x\r\n${framing}\r\n\r\n${body}`
      const [head = ''] = (await raw(url, text)).split('\r\n\r\n')

      assert.match(head, /^HTTP\/1\.1 413 /)
      assert.match(head, /^connection: close$/im)
    })
  }

  it('answers a refusal of the head before the body comes, and asks for no body', async (t) => {
    const { url } = await startServer(t, () => {
      throw new Problem('forbidden', 'No.')
    })
    const head = 'POST /v1 HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n'

    const answers = await Promise.all([
      raw(url, `${head}\r\n`),
      raw(url, `${head}expect: 100-continue\r\n\r\n`),
    ])

    for (const answer of answers) {
      assert.match(answer, /^HTTP\/1\.1 403 /)
      assert.match(answer, /\r\nconnection: close\r\n/i)
      assert.match(answer, /"detail":"No\."/)
    }
  })

  it('asks a client that waits for it for the body, if the head is allowed', async (t) => {
    const { url } = await startServer(t, echo)
    const head = 'POST /v1 HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\nconnection: close\r\n'
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
      socket.write(`${head}expect: 100-continue\r\n\r\n`),
    )

    const [first] = await once(socket, 'data')
    socket.write('body')
    const [second] = await once(socket, 'data')

    assert.equal(String(first), 'HTTP/1.1 100 Continue\r\n\r\n')
    assert.match(String(second), /^HTTP\/1\.1 200 [^]*body$/)
  })

  it('lets a client that is refused send its body to the end, and read the answer', async (t) => {
    const { url } = await startServer(t, () => {
      throw new Problem('unauthorized', 'No.')
    })
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
      socket.write(`POST /v1 HTTP/1.1\r\nhost: x\r\ncontent-length: 8000000\r\n\r\n`),
    )

    const [answer] = await once(socket, 'data')
    socket.write('x'.repeat(8_000_000))
    const failed = once(socket, 'error').then(([error]) => error)
    const ended = once(socket, 'end').then(() => 'ended')

    assert.match(String(answer), /^HTTP\/1\.1 401 /)
    assert.equal(await Promise.race([failed, ended]), 'ended')
  })

  it('keeps a connection whose refused request has come whole', async (t) => {
    const { url } = await startServer(t, (request) => {
      if (request.method === 'POST') throw new Problem('forbidden', 'No.')
      return { status: 200, headers: {}, body: '{}' }
    })

    const answers = await raw(
      url,
      'POST /v1 HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}' +
        'GET /v1 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    )

    assert.deepEqual(answers.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 403', 'HTTP/1.1 200'])
  })

  it('takes a body of many chunks as it was sent', async (t) => {
    const { url } = await startServer(t, echo)
    const body = Array.from({ length: 16_000 }, (_, index) => String(index % 10)).join('')
    const chunks = [...body].map((octet) => `1\r\n${octet}\r\n`).join('')

    const answer = await raw(
      url,
      'POST /v1 HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n' +
        `${chunks}0\r\n\r\n`,
    )

    assert.equal(answer.split('\r\n\r\n')[1], body)
  })

  it('answers what is no HTTP at all, and goes on', async (t) => {
    const { url } = await startServer(t, echo)

    const answer = await raw(url, 'nonsense\r\n\r\n')
    const header = await raw(url, `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(70_000)}\r\n\r\n`)

    assert.match(answer, /^HTTP\/1\.1 400 /)
    assert.match(answer, /application\/problem\+json/)
    assert.match(answer, /"type":"\/problems\/invalid-request"/)
    assert.match(header, /^HTTP\/1\.1 431 /)
    assert.match(header, /"type":"\/problems\/header-too-large"/)
    assert.equal((await fetch(url)).status, 200)
  })

  for (const [title, text, status] of [
    ['a path that is not percent-encoded', 'GET /v1/%zz HTTP/1.1\r\nhost: x\r\n', 200],
    ['no field Host', 'GET /v1 HTTP/1.1\r\n', 400],
    ['the field Host twice', 'GET /v1 HTTP/1.1\r\nhost: x\r\nhost: y\r\n', 400],
    [
      'two fields Authorization',
      'GET /v1 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer a\r\nAuthorization: Bearer b\r\n',
      400,
    ],
    ['an expectation', 'GET /v1 HTTP/1.1\r\nhost: x\r\nexpect: wonders\r\n', 200],
    ['a target with a host', 'GET http://x/v1?a=b HTTP/1.1\r\nhost: x\r\n', 200],
    ['HTTP/1.0', 'GET /v1 HTTP/1.0\r\n', 200],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n',
      400,
    ],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n',
      400,
    ],
    [
      'a media type that is none',
      'GET /v1 HTTP/1.1\r\nhost: x\r\ncontent-type: ;\r\ncontent-length: 0\r\n',
      200,
    ],
  ] as const) {
    it(`says in its own words what it makes of ${title}`, async (t) => {
      const { url } = await startServer(t, echo)

      const [head = '', body = ''] = (await raw(url, `${text}connection: close\r\n\r\n`)).split(
        '\r\n\r\n',
      )

      assert.match(head, new RegExp(`^HTTP/1.1 ${status} `))
      assert.match(head, /^x-request-id: request_1$/m)
      if (status === 400) {
        assert.match(head, /^content-type: application\/problem\+json$/m)
        const { status: said, title, requestId } = JSON.parse(body)
        assert.deepEqual([said, title, requestId], [400, 'Invalid request', 'request_1'])
      } else assert.match(head, /^x-seen: GET \/v1/m)
    })
  }

  it('answers CONNECT with 501, and a HEAD that it cannot read without a body', async (t) => {
    const { url } = await startServer(t, echo)

    const tunnel = await raw(url, 'CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n')
    const head = await raw(url, `HEAD / HTTP/1.1\r\nx: ${'y'.repeat(70_000)}\r\n\r\n`)

    assert.match(tunnel + head, /^HTTP\/1\.1 501 [^]*HTTP\/1\.1 431 [^]*\r\n\r\n$/)
  })

  it('answers 501 where a body comes in a transfer coding besides chunks', async (t) => {
    const { url } = await startServer(t, echo)
    const send = (coding: string) =>
      raw(
        url,
        `POST /v1 HTTP/1.1\r\nhost: x\r\ntransfer-encoding: ${coding}\r\nconnection: close\r\n\r\n` +
          '2\r\n{}\r\n0\r\n\r\n',
      )

    const zipped = await send('gzip, chunked')
    const plain = await send('Chunked')

    assert.match(zipped, /^HTTP\/1\.1 501 /)
    assert.match(zipped, /Transfer-Encoding can only be chunked/)
    assert.match(plain, /^HTTP\/1\.1 200 /)
  })

  it('names the request in what it refuses without handing it on', async (t) => {
    const { url } = await startServer(t, echo)

    const answer = await fetch(url, { method: 'POST', body: 'x'.repeat(1_048_577) })

    assert.equal(answer.headers.get('x-request-id'), 'request_1')
    assert.equal(JSON.parse(await answer.text()).requestId, 'request_1')
  })

  it('answers what came before the garbage, and then ends', async (t) => {
    const released = Promise.withResolvers<void>()
    const { url } = await startServer(t, async () => {
      await released.promise
      return { status: 200, headers: {}, body: '{"first":true}' }
    })

    const answer = raw(url, 'GET /v1 HTTP/1.1\r\nhost: x\r\n\r\nGARBAGE\r\n\r\n')
    setImmediate(released.resolve)

    assert.match(await answer, /^HTTP\/1\.1 200 [^]*\{"first":true\}$/)
  })

  it('puts nothing into a stream when garbage follows its request', async (t) => {
    const { url } = await startServer(t, async (request) => {
      const gone = request.gone?.()
      const ended = new Promise((resolve) => gone?.addEventListener('abort', resolve))
      async function* body(): AsyncIterable<string> {
        yield 'one\n'
        await ended
      }
      return { status: 200, headers: {}, body: body() }
    })

    const answer = await new Promise<string>((resolve) => {
      let text = ''
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
        socket.write('GET /v1 HTTP/1.1\r\nhost: x\r\n\r\n'),
      )
      socket.once('data', () => socket.write('GARBAGE\r\n\r\n'))
      socket.on('data', (chunk) => (text += chunk.toString()))
      socket.on('error', () => {})
      socket.on('close', () => resolve(text))
    })

    assert.equal(answer.match(/HTTP\/1\.1/g)?.length, 1)
  })

  it('does not wait for ever for a request', async (t) => {
    const { url } = await startServer(t, echo, { requestTimeoutMs: 100, checkEveryMs: 50 })

    const answers = await Promise.all([
      raw(url, 'GET /v1 HTTP/1.1\r\nhost: x\r\n'),
      raw(url, 'POST /v1 HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{'),
    ])

    for (const answer of answers) {
      assert.match(answer, /^HTTP\/1\.1 408 /)
      assert.match(answer, /"type":"\/problems\/request-timeout"/)
      assert.match(answer, /"requestId":"request_1"/)
    }
  })
})
