import assert from 'node:assert/strict'
import { createServer, type RequestListener, type Server } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import fastify, { type FastifyInstance } from 'fastify'
import { Hono } from 'hono'
import {
  fastifyPlugin,
  fetchHandler,
  nodeHandler,
  type Receiver,
} from '../../../packages/receiver/src/index.ts'
import { aReceiver, problemOf } from '../../../packages/receiver/test/support/a-receiver.ts'
import { listen } from '../../../packages/receiver/test/support/raw-http.ts'
import { received, sent, signed } from '../../../packages/receiver/test/support/signed.ts'

/** Serves a receiver at /webhooks until the test ends; gives the address. */
type Serve = (t: TestContext, receive: Receiver) => Promise<string>

const listener =
  (listen: (receive: Receiver) => RequestListener): Serve =>
  (t, receive) =>
    serve(t, createServer(listen(receive)))

const adapters: Record<string, Serve> = {
  'node:http': listener(nodeHandler),

  'Express without a body parser': listener((receive) =>
    express().use('/webhooks', nodeHandler(receive)),
  ),

  'Express after express.raw()': listener((receive) =>
    express()
      .use(express.raw({ type: '*/*' }))
      .use('/webhooks', nodeHandler(receive)),
  ),

  'Express after express.text()': listener((receive) =>
    express()
      .use(express.text({ type: '*/*' }))
      .use('/webhooks', nodeHandler(receive)),
  ),

  'Express before express.json()': listener((receive) =>
    express().use('/webhooks', nodeHandler(receive)).use(express.json()),
  ),

  Fastify: (t, receive) => {
    const app = fastify()
    app.register(fastifyPlugin(receive), { prefix: '/webhooks' })
    return serveFastify(t, app)
  },

  'Fastify with a JSON parser of its own': (t, receive) => {
    const app = fastify()
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, _body, done) =>
      done(new Error('not for the receiver')),
    )
    app.register(fastifyPlugin(receive), { prefix: '/webhooks' })
    return serveFastify(t, app)
  },

  'a Fetch handler': listener((receive) => getRequestListener(fetchHandler(receive))),

  Hono: listener((receive) => {
    const app = new Hono()
    app.all('/webhooks', (c) => fetchHandler(receive)(c.req.raw))
    return getRequestListener(app.fetch)
  }),
}

for (const [name, start] of Object.entries(adapters)) {
  describe(`The receiver in ${name}`, () => {
    it('handles a signed array and answers 204', async (t) => {
      const { receive, handled } = aReceiver()
      const url = await start(t, receive)

      const response = await fetch(url, signed([sent(), received()]))

      assert.equal(response.status, 204)
      assert.equal(await response.text(), '')
      assert.deepEqual(handled, [sent(), received()])
    })

    it('answers a problem to a forged one, and handles nothing', async (t) => {
      const { receive, handled } = aReceiver()
      const url = await start(t, receive)
      const request = signed([sent()])
      request.body[5] = 0x20

      const response = await fetch(url, request)

      assert.equal(response.status, 401)
      assert.equal(response.headers.get('content-type'), 'application/problem+json')
      assert.equal((await problem(response)).title, 'Not verified')
      assert.deepEqual(handled, [])
    })

    it('answers 400 to signed text that is not JSON', async (t) => {
      const { receive } = aReceiver()
      const url = await start(t, receive)

      const response = await fetch(url, signed('hello'))

      assert.equal(response.status, 400)
      assert.equal((await problem(response)).title, 'Parsing error')
    })

    it('answers 500 where a handler fails', async (t) => {
      const { receive } = aReceiver({ SENT: () => Promise.reject(new Error('no')) })
      const url = await start(t, receive)

      const response = await fetch(url, signed([sent()]))

      assert.equal(response.status, 500)
      assert.match(String((await problem(response)).detail), /handler of SENT/)
    })

    it('answers 405 with Allow to GET and HEAD', async (t) => {
      const { receive } = aReceiver()
      const url = await start(t, receive)

      for (const method of ['GET', 'HEAD']) {
        const response = await fetch(url, { method })
        await response.text()

        assert.equal(response.status, 405)
        assert.equal(response.headers.get('allow'), 'POST')
      }
    })

    it('answers 415 to a form', async (t) => {
      const { receive } = aReceiver()
      const url = await start(t, receive)

      const response = await fetch(url, { method: 'POST', body: new URLSearchParams({ a: 'b' }) })

      assert.equal(response.status, 415)
      await response.text()
    })

    it('answers 413 to a body over the cap, sent with its length or in chunks', async (t) => {
      const { receive, handled } = aReceiver({ bodyBytesMax: 1000 })
      const url = await start(t, receive)
      const request = signed([sent({ body: 'a'.repeat(20_000) })])
      const chunked = ReadableStream.from([
        request.body.subarray(0, 9000),
        request.body.slice(9000),
      ])

      for (const body of [request.body, chunked]) {
        const response = await fetch(url, { ...request, body, duplex: 'half' })

        assert.equal(response.status, 413)
        await response.text()
      }
      assert.deepEqual(handled, [])
    })

    it('keeps the connection of an accepted array open for the next', async (t) => {
      const { receive, handled } = aReceiver()
      const url = await start(t, receive)

      for (const id of ['a', 'b', 'c']) {
        const response = await fetch(url, signed([sent({ id })]))
        assert.notEqual(response.headers.get('connection'), 'close')
      }
      assert.equal(handled.length, 3)
    })
  })
}

describe('The receiver in Express after express.json()', () => {
  it('answers 500 and explains how to keep the raw body', async (t) => {
    const { receive, handled, errors } = aReceiver()
    const app = express().use(express.json()).use('/webhooks', nodeHandler(receive))
    const url = await serve(t, createServer(app))

    const response = await fetch(url, signed([sent()]))

    assert.equal(response.status, 500)
    assert.match(
      String((await problem(response)).detail),
      /Put this handler before any body parser/,
    )
    assert.equal(errors.length, 1)
    assert.deepEqual(handled, [])
  })
})

describe('The receiver in Hono after c.req.json()', () => {
  it('answers 500 and explains that the body was read', async (t) => {
    const { receive } = aReceiver()
    const app = new Hono()
    app.post('/webhooks', async (c) => {
      await c.req.json()
      return fetchHandler(receive)(c.req.raw)
    })
    const url = await serve(t, createServer(getRequestListener(app.fetch)))

    const response = await fetch(url, signed([sent()]))

    assert.equal(response.status, 500)
    assert.match(String((await problem(response)).detail), /was read before/)
  })
})

describe('The node:http handler', () => {
  it('adds nothing to an answer that was sent meanwhile', async (t) => {
    const { receive } = aReceiver()
    const finished = Promise.withResolvers<void>()
    const server = createServer((request, response) => {
      const handle = nodeHandler(async (incoming) => {
        const answer = await receive(incoming)
        response.writeHead(503).end()
        return answer
      })
      handle(request, response).then(finished.resolve, finished.reject)
    })
    const url = await serve(t, server)

    const response = await fetch(url, signed('hello'))
    await finished.promise

    assert.equal(response.status, 503)
  })
})

describe('The Fastify plugin', () => {
  it('answers injected requests', async (t) => {
    const { receive, handled } = aReceiver()
    const app = fastify()
    app.register(fastifyPlugin(receive), { prefix: '/webhooks' })
    t.after(() => app.close())
    const { headers, body } = signed([sent()])

    const response = await app.inject({
      method: 'POST',
      url: '/webhooks',
      headers,
      payload: Buffer.from(body),
    })

    assert.equal(response.statusCode, 204)
    assert.deepEqual(handled, [sent()])
  })

  it('leaves the JSON of other routes as it was', async (t) => {
    const { receive } = aReceiver()
    const app = fastify()
    app.register(fastifyPlugin(receive), { prefix: '/webhooks' })
    app.post('/echo', (request) => request.body)
    const url = await serveFastify(t, app)

    const response = await fetch(url.replace('/webhooks', '/echo'), signed([sent()]))

    assert.deepEqual(await response.json(), [sent()])
  })
})

async function problem(response: Response): Promise<Record<string, unknown>> {
  return problemOf({ body: await response.text() })
}

async function serve(t: TestContext, server: Server): Promise<string> {
  return `http://127.0.0.1:${await listen(t, server)}/webhooks`
}

async function serveFastify(t: TestContext, app: FastifyInstance): Promise<string> {
  await app.ready()
  const url = await serve(t, app.server)
  t.after(() => app.close())
  return url
}
