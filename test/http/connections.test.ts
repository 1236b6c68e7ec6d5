import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { bodyText, hasty, raw, startServer } from './support/test-server.ts'

describe('A connection', () => {
  it('streams, and tells the source when the client has gone', async (t) => {
    const left = Promise.withResolvers<void>()
    const { url } = await startServer(t, async (request) => {
      const gone = request.gone?.()
      gone?.addEventListener('abort', () => left.resolve())
      async function* body(): AsyncIterable<string> {
        yield 'one\n'
        await left.promise
      }
      return { status: 200, headers: { 'content-type': 'text/event-stream' }, body: body() }
    })
    const controller = new AbortController()

    const answer = await fetch(url, { signal: controller.signal })
    const first = await answer.body?.getReader().read()
    controller.abort()
    await left.promise

    assert.equal(Buffer.from(first?.value ?? []).toString(), 'one\n')
  })

  it('ends the streams when it closes', async (t) => {
    const server = await startServer(t, async (request) => {
      const gone = request.gone?.()
      const ended = new Promise((resolve) => gone?.addEventListener('abort', resolve))
      async function* body(): AsyncIterable<string> {
        yield 'one\n'
        await ended
        yield 'last\n'
      }
      return { status: 200, headers: {}, body: body() }
    })

    const answer = await fetch(server.url)
    const [text] = await Promise.all([answer.text(), server.close()])

    assert.equal(text, 'one\nlast\n')
  })

  it('begins a pipelined request when the answer before it is written, and keeps their order', async (t) => {
    const begun: string[] = []
    const released = Promise.withResolvers<void>()
    const { url } = await startServer(t, async (request) => {
      const { target } = request
      begun.push(`${target} ${await bodyText(request)}`)
      if (target === '/first') await released.promise
      return { status: 200, headers: {}, body: target }
    })
    const post = 'POST /second HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\n\r\none'

    const answers = raw(
      url,
      `GET /first HTTP/1.1\r\nhost: x\r\n\r\n${post}` +
        `${'GET /more HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(100)}` +
        'GET /last HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    )
    // Another connection is answered meanwhile: what was sent before has been read by then.
    await fetch(`${url}/other`)
    await fetch(`${url}/other`)
    const before = [...begun]
    released.resolve()
    const text = await answers

    assert.deepEqual(before, ['/first ', '/other ', '/other '])
    assert.equal(begun.includes('/second one'), true)
    assert.deepEqual(text.match(/\/(first|second|more|last)/g), [
      '/first',
      '/second',
      ...Array.from({ length: 100 }, () => '/more'),
      '/last',
    ])
  })

  it('ends if its pipeline is longer than any client needs', async (t) => {
    const { url } = await startServer(t, async () => ({ status: 200, headers: {}, body: '{}' }))
    const { port } = new URL(url)
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(2000))
    })
    let answers = 0
    socket.on('data', (chunk: Buffer) => (answers += chunk.toString().split('200 OK').length - 1))
    socket.on('error', () => {})
    await once(socket, 'close')

    assert.ok(answers < 2000, `${answers} responses`)
  })

  it('ends if it pipelines when all pipelines together are too long, and is served otherwise', async (t) => {
    const released = Promise.withResolvers<void>()
    const { url } = await startServer(t, async () => {
      await released.promise
      return { status: 200, headers: {}, body: '{}' }
    })
    const port = Number(new URL(url).port)
    const request = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'
    const long = Array.from({ length: 25 }, () => connect(port, '127.0.0.1'))
    const closed = Promise.withResolvers<void>()
    for (const socket of long) {
      socket.on('error', () => {})
      socket.once('close', () => closed.resolve())
      socket.write(request.repeat(250))
    }
    await closed.promise

    const answers = raw(url, 'GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    released.resolve()
    assert.equal((await answers).split('200 OK').length - 1, 1)
    for (const socket of long) socket.destroy()
  })

  it('begins nothing of a pipeline whose client has gone', async (t) => {
    const begun: string[] = []
    const [arrived, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { url } = await startServer(t, async ({ target, gone: left }) => {
      begun.push(target)
      if (target !== '/first') return { status: 200, headers: {}, body: '{}' }
      left?.().addEventListener('abort', () => gone.resolve())
      arrived.resolve()
      await gone.promise
      return { status: 200, headers: {}, body: '{}' }
    })

    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write('GET /first HTTP/1.1\r\nhost: x\r\n\r\nGET /second HTTP/1.1\r\nhost: x\r\n\r\n')
    await arrived.promise
    socket.destroy()
    await gone.promise
    await fetch(`${url}/other`)

    assert.deepEqual(begun, ['/first', '/other'])
  })

  it('lets what is in flight finish when it closes', async (t) => {
    const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const server = await startServer(t, async () => {
      arrived.resolve()
      await released.promise
      return { status: 200, headers: {}, body: '{"late":true}' }
    })

    const answer = fetch(server.url)
    await arrived.promise
    const closed = server.close()
    released.resolve()

    assert.equal(await (await answer).text(), '{"late":true}')
    await closed
    await assert.rejects(fetch(server.url))
  })

  it('answers what comes over a connection that was idle when it began to close, and ends that', async (t) => {
    const patient = { ...hasty, idleMs: 10_000 }
    const server = await startServer(
      t,
      async () => ({ status: 200, headers: {}, body: 'x' }),
      patient,
    )
    const text = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'
    const { port } = new URL(server.url)
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(text))
    const [first] = await once(socket, 'data')
    const rest: Buffer[] = []
    socket.on('data', (chunk: Buffer) => rest.push(chunk))

    const closed = server.close()
    socket.write(text)
    await once(socket, 'end')
    await closed

    assert.match(String(first), /keep-alive/)
    assert.match(
      Buffer.concat(rest).toString(),
      /^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*connection: close\r\n/i,
    )
  })
})
