import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { nodeHandler, receiver, type ReceiverClock, type NodeRequest } from '../src/index.ts'
import { aReceiver, problemOf, stoppedClock } from './support/a-receiver.ts'
import { known } from './support/known.ts'
import { headOf, listen, rawConnection } from './support/raw-http.ts'
import { sent, signed } from './support/signed.ts'

describe('Reading the body of a Fetch request', () => {
  it('puts its pieces together', async () => {
    const { receive, handled } = aReceiver()
    const { headers, body } = signed([sent()])

    const answer = await receive(
      streamed(
        headers,
        Array.from(body, (byte) => Uint8Array.of(byte)),
      ),
    )

    assert.equal(answer.status, 204)
    assert.deepEqual(handled, [sent()])
  })

  it('stops at the cap and cancels the rest', async () => {
    const cancelled = Promise.withResolvers<void>()
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(600)),
      cancel: () => cancelled.resolve(),
    })
    const { receive } = aReceiver({ bodyBytesMax: 1000 })

    const answer = await receive(post(signed([]).headers, endless))

    assert.deepEqual([answer.status, answer.close], [413, true])
    await cancelled.promise
  })

  it('reads nothing of a body that says it is over the cap', async () => {
    const { receive } = aReceiver({ bodyBytesMax: 1000 })
    const request = post({ ...signed([]).headers, 'content-length': '1001' }, new ReadableStream())

    const answer = await receive(request)

    assert.equal(answer.status, 413)
    assert.equal(request.bodyUsed, false)
  })

  it('answers 408 once the time is up', async () => {
    const { clock, waiting, ring } = alarmClock()
    const { receive } = aReceiver({ clock, readTimeoutMs: 2000 })
    const answered = receive(post(signed([]).headers, new ReadableStream()))

    assert.equal(await waiting, 2000)
    ring()
    const answer = await answered

    assert.deepEqual([answer.status, answer.close], [408, true])
    assert.match(String(problemOf(answer).detail), /longer than 2000 ms/)
  })

  it('uses the clock of the machine unless it gets another', async () => {
    const impatient = receiver({ secrets: known.secret, readTimeoutMs: 1 })
    const patient = receiver({ secrets: known.secret })
    const { headers, body } = signed([], { timestamp: Math.floor(Date.now() / 1000) })

    const late = await impatient(post(headers, new ReadableStream()))
    const inTime = await patient(post(headers, body))

    assert.deepEqual([late.status, inTime.status], [408, 204])
  })

  it('cancels the timer after the body', async () => {
    const timers = new Set<object>()
    const clock: ReceiverClock = {
      ...stoppedClock,
      after: () => {
        const timer = {}
        timers.add(timer)
        return () => timers.delete(timer)
      },
    }
    const { receive } = aReceiver({ clock })
    const { headers, body } = signed([])

    await receive(post(headers, body))

    assert.equal(timers.size, 0)
  })

  it('answers 400 to a body that breaks off', async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
    const { receive } = aReceiver()

    const answer = await receive(post(signed([]).headers, broken))

    assert.equal(answer.status, 400)
    assert.match(String(problemOf(answer).detail), /ended before it was complete/)
  })

  it('takes a request without a body for an empty one', async () => {
    const { receive } = aReceiver()
    const { headers } = signed('')

    const answer = await receive(new Request('http://localhost', { method: 'POST', headers }))

    assert.match(String(problemOf(answer).detail), /must be JSON/)
  })

  it('says so where the body was read before', async () => {
    const { receive, errors } = aReceiver()
    const { headers, body } = signed([])
    const request = post(headers, body)
    await request.json()

    const answer = await receive(request)

    assert.equal(answer.status, 500)
    assert.match(String(problemOf(answer).detail), /raw bytes.*was read before/)
    assert.equal(errors.length, 1)
  })
})

describe('Reading the body of a Node request', () => {
  it('closes the connection when the body goes over the cap', async (t) => {
    const { receive } = aReceiver({ bodyBytesMax: 1000 })
    const port = await listen(t, createServer(nodeHandler(receive)))
    const { socket, answer } = rawConnection(t, port)

    socket.write(headOf({ ...signed([]).headers, 'transfer-encoding': 'chunked' }))
    socket.write(`800\r\n${'a'.repeat(0x800)}\r\n`)

    assert.match(await answer, /^HTTP\/1\.1 413 .*connection: close.*"status":413/is)
  })

  it('does not wait for a body that says it is over the cap', async (t) => {
    const { receive } = aReceiver({ bodyBytesMax: 1000 })
    const port = await listen(t, createServer(nodeHandler(receive)))
    const { socket, answer } = rawConnection(t, port)

    socket.write(headOf({ ...signed([]).headers, 'content-length': '1001' }))

    assert.match(await answer, /^HTTP\/1\.1 413 /)
  })

  it('answers 408 and closes when the body does not come in time', async (t) => {
    const { clock, waiting, ring } = alarmClock()
    const { receive, handled } = aReceiver({ clock })
    const port = await listen(t, createServer(nodeHandler(receive)))
    const { socket, answer } = rawConnection(t, port)
    const request = signed([sent()])

    socket.write(headOf({ ...request.headers, 'content-length': String(request.body.length) }))
    socket.write(request.body.subarray(0, 10))
    assert.equal(await waiting, 10_000)
    ring()

    assert.match(await answer, /^HTTP\/1\.1 408 .*connection: close/is)
    assert.deepEqual(handled, [])
  })

  it('survives a sender that goes away in the middle', async (t) => {
    const { clock, waiting } = alarmClock()
    const { receive, handled } = aReceiver({ clock })
    const finished = Promise.withResolvers<void>()
    const handle = nodeHandler(receive)
    const server = createServer((request, response) => {
      handle(request, response).then(finished.resolve, finished.reject)
    })
    const { socket, answer } = rawConnection(t, await listen(t, server))

    socket.write(headOf({ ...signed([]).headers, 'content-length': '500' }) + '[')
    await waiting
    socket.destroy()
    await answer.catch(() => '')
    await finished.promise

    assert.deepEqual(handled, [])
  })

  for (const place of ['body', 'rawBody'] as const) {
    it(`takes bytes or text that a framework left in ${place}`, async () => {
      const { receive, handled } = aReceiver()
      const { headers, body } = signed([sent()])

      for (const left of [Buffer.from(body), new TextDecoder().decode(body)]) {
        const answer = await receive(nodeRequest(headers, { readableDidRead: true, [place]: left }))

        assert.equal(answer.status, 204)
      }
      assert.equal(handled.length, 2)
    })
  }

  it('reads the stream where a framework left an empty object and read nothing', async () => {
    const { receive, handled } = aReceiver()
    const { headers, body } = signed([sent()])

    const answer = await receive(nodeRequest(headers, { readableDidRead: false, body: {} }, [body]))

    assert.equal(answer.status, 204)
    assert.deepEqual(handled, [sent()])
  })

  it('explains how to keep the raw body where a framework left it parsed', async () => {
    const { receive, handled } = aReceiver()

    const answer = await receive(
      nodeRequest(signed([sent()]).headers, { readableDidRead: true, body: [sent()] }),
    )

    assert.equal(answer.status, 500)
    assert.match(String(problemOf(answer).detail), /raw bytes.*parsed.*express\.raw\(/)
    assert.deepEqual(handled, [])
  })
})

function post(
  headers: Record<string, string>,
  body: ReadableStream | Uint8Array<ArrayBuffer>,
): Request {
  return new Request('http://localhost', { method: 'POST', headers, body, duplex: 'half' })
}

function streamed(headers: Record<string, string>, pieces: readonly Uint8Array[]): Request {
  return post(headers, ReadableStream.from(pieces))
}

function nodeRequest(
  headers: Record<string, string>,
  state: { readableDidRead: boolean; body?: unknown; rawBody?: unknown },
  pieces: readonly Uint8Array[] = [],
): NodeRequest {
  const stream = Readable.from(pieces)
  return { method: 'POST', headers, ...state, [Symbol.asyncIterator]: () => stream.iterator() }
}

/** A clock whose one alarm rings on the test's request; `waiting` resolves to its duration. */
function alarmClock() {
  const set = Promise.withResolvers<number>()
  const alarm = { ring: () => {} }
  const clock: ReceiverClock = {
    ...stoppedClock,
    after: (ms, ring) => {
      alarm.ring = ring
      set.resolve(ms)
      return () => undefined
    },
  }
  return { clock, waiting: set.promise, ring: () => alarm.ring() }
}
