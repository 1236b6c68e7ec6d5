import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NuncioConnectionError, NuncioProblem } from '../src/index.ts'
import { scripted } from './support/a-client.ts'
import { problem } from './support/scripted-server.ts'

const message = { id: 'message_1', to: '+1', body: 'hello' }
const hello = { to: '+1', body: 'hello' }
const overloaded = problem(503, 'unavailable', { headers: { 'retry-after': '2' } })

describe('a request that fails for the moment', () => {
  it('is repeated when the connection is lost, after half of 250 and of 500 ms', async (t) => {
    const { client, server, clock } = await scripted(t, ['drop', 'drop', { body: message }])

    const got = client.messages.get('message_1')
    await clock.pass(125)
    await clock.pass(250)

    assert.deepEqual(await got, message)
    assert.equal(server.requests.length, 3)
    assert.deepEqual(clock.pending(), [])
  })

  it('is repeated when it is refused for now, after the time that the service asks for', async (t) => {
    const { client, clock } = await scripted(t, [overloaded, { body: message }])

    const got = client.messages.get('message_1')
    await clock.pass(2125)

    assert.deepEqual(await got, message)
  })

  it('waits until the date that the service names', async (t) => {
    const headers = { 'retry-after': 'Thu, 01 Jan 2026 00:00:03 GMT' }
    const busy = problem(429, 'too-many-requests', { headers })
    const { client, clock } = await scripted(t, [busy, { body: message }])

    const got = client.messages.get('message_1')
    await clock.pass(3125)

    assert.deepEqual(await got, message)
  })

  it('makes one instance only: every attempt at a POST has the same key', async (t) => {
    const { client, server, clock } = await scripted(t, ['drop', overloaded, { body: message }])

    const made = client.messages.create(hello)
    await clock.pass(125)
    await clock.pass(2250)
    await made

    const keys = server.requests.map(({ headers }) => headers['idempotency-key'])
    assert.deepEqual(keys, Array(3).fill('07'.repeat(16)))
    assert.deepEqual(
      new Set(server.requests.map(({ body }) => body)),
      new Set([JSON.stringify(hello)]),
    )
  })

  it('waits for an attempt that is still being carried out', async (t) => {
    const { client, clock } = await scripted(t, [
      'drop',
      problem(409, 'conflict'),
      { body: message },
    ])

    const made = client.messages.create(hello)
    await clock.pass(125)
    await clock.pass(250)

    assert.deepEqual(await made, message)
  })

  it('is given up after four attempts, with the last refusal', async (t) => {
    const busy = problem(429, 'too-many-requests')
    const { client, server, clock } = await scripted(t, [busy, busy, busy, busy])

    const got = assert.rejects(client.messages.get('message_1'), { type: 'too-many-requests' })
    for (const delayMs of [125, 250, 500]) await clock.pass(delayMs)
    await got

    assert.equal(server.requests.length, 4)
  })

  it('is given up immediately if the service asks for more time than is left', async (t) => {
    const closed = problem(503, 'unavailable', { headers: { 'retry-after': '60' } })
    const { client, server } = await scripted(t, [closed])

    await assert.rejects(client.messages.get('message_1'), { status: 503, retryAfterMs: 60_000 })

    assert.equal(server.requests.length, 1)
  })

  it('is repeated as often as the options say', async (t) => {
    const { client, server } = await scripted(t, ['drop'], { retry: { attempts: 1 } })

    await assert.rejects(client.messages.get('message_1'), { fault: 'unreachable' })

    assert.equal(server.requests.length, 1)
  })
})

describe('a request that gets no answer in time', () => {
  it('is repeated', async (t) => {
    const { client, server, clock } = await scripted(t, ['hang', { body: message }])

    const got = client.messages.get('message_1')
    await server.arrived(1)
    await clock.pass(30_000)
    await clock.pass(125)

    assert.deepEqual(await got, message)
  })

  it('has as much time as its options say', async (t) => {
    const { client, clock } = await scripted(t, ['hang'], { retry: { attempts: 1 } })

    const got = client.messages.get('message_1', { timeoutMs: 700 })
    const refused = assert.rejects(got, (error) => {
      assert.ok(error instanceof NuncioConnectionError)
      assert.equal(error.fault, 'timeout')
      assert.match(error.message, /GET http:.*\/v1\/messages\/message_1$/)
      return true
    })
    await clock.pass(700)

    await refused
  })

  it('takes no longer with all its attempts than the limit on all', async (t) => {
    const { client, server, clock } = await scripted(t, ['hang', 'hang'])

    const refused = assert.rejects(client.messages.get('message_1'), { fault: 'timeout' })
    await server.arrived(1)
    await clock.pass(30_000)
    await clock.pass(125)
    await server.arrived(2)
    await clock.pass(60_000 - 30_000 - 125)

    await refused
    assert.deepEqual(clock.pending(), [])
  })
})

describe('a request that is not to be repeated', () => {
  it('is a patch whose answer was lost: others may have written since', async (t) => {
    const { client, server } = await scripted(t, ['drop'])

    await assert.rejects(client.contacts.patch('contact_1', { name: 'Ann' }), {
      fault: 'unreachable',
    })

    assert.equal(server.requests.length, 1)
  })

  it('is one that the service refuses for good', async (t) => {
    const { client, server } = await scripted(t, [problem(400, 'invalid-body')])

    await assert.rejects(client.messages.create(hello), { type: 'invalid-body' })

    assert.equal(server.requests.length, 1)
  })

  it('is one that failed inside the service', async (t) => {
    const { client, server } = await scripted(t, [problem(500, 'internal')])

    await assert.rejects(client.messages.get('message_1'), { type: 'internal' })

    assert.equal(server.requests.length, 1)
  })
})

describe('a patch', () => {
  const contact = { id: 'contact_1', name: 'Ann' }

  it('is repeated after a temporary refusal', async (t) => {
    const { client, clock } = await scripted(t, [overloaded, { body: contact }])

    const patched = client.contacts.patch('contact_1', { name: 'Ann' })
    await clock.pass(2125)

    assert.deepEqual(await patched, contact)
  })

  it('is repeated where a condition keeps it from being carried out twice', async (t) => {
    const { client, server, clock } = await scripted(t, ['drop', { body: contact }])

    const patched = client.contacts.patch('contact_1', { name: 'Ann' }, { ifMatch: '"1"' })
    await clock.pass(125)

    assert.deepEqual(await patched, contact)
    assert.deepEqual(
      server.requests.map(({ headers }) => headers['if-match']),
      ['"1"', '"1"'],
    )
  })
})

describe('a removal whose answer was lost', () => {
  it('succeeds if the instance no longer exists', async (t) => {
    const { client, clock } = await scripted(t, ['drop', problem(404, 'not-found')])

    const removed = client.messages.delete('message_1')
    await clock.pass(125)

    assert.equal(await removed, undefined)
  })

  it('is refused where the instance was not there from the first', async (t) => {
    const { client } = await scripted(t, [problem(404, 'not-found')])

    await assert.rejects(client.messages.delete('message_1'), { type: 'not-found' })
  })
})

describe('a proxy before the service', () => {
  it('that has no answer of it makes the request be repeated', async (t) => {
    const page = { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway' }
    const { client, clock } = await scripted(t, [page, { body: message }])

    const got = client.messages.get('message_1')
    await clock.pass(125)

    assert.deepEqual(await got, message)
  })

  it('that answers itself is distinguished from the service', async (t) => {
    const page = { status: 403, headers: { 'content-type': 'text/html' }, body: '<h1>Forbidden' }
    const { client } = await scripted(t, [page])

    await assert.rejects(client.messages.get('message_1'), (error) => {
      assert.ok(error instanceof NuncioProblem)
      assert.deepEqual([error.status, error.type, error.detail], [403, 'unknown', ''])
      return true
    })
  })

  it('that redirects is not followed: it would be given the key', async (t) => {
    const moved = { status: 302, headers: { location: 'http://elsewhere.example/' } }
    const { client, server } = await scripted(t, [moved])

    await assert.rejects(client.messages.get('message_1'), { fault: 'malformed' })

    assert.equal(server.requests.length, 1)
  })

  it('that answers with a page is no service', async (t) => {
    const page = { headers: { 'content-type': 'text/html' }, body: '<h1>Sign in' }
    const { client } = await scripted(t, [page])

    await assert.rejects(client.messages.list(), { fault: 'malformed', message: /text\/html/ })
  })
})

describe('a signal', () => {
  it('that is given before ends a request before it is sent', async (t) => {
    const { client, server } = await scripted(t, [])

    const got = client.messages.get('message_1', { signal: AbortSignal.abort('enough') })

    await assert.rejects(got, (reason) => reason === 'enough')
    assert.equal(server.requests.length, 0)
  })

  it('that is given during an attempt ends it', async (t) => {
    const stop = new AbortController()
    const { client, clock } = await scripted(t, [() => stop.abort('enough')])

    const got = client.messages.get('message_1', { signal: stop.signal })

    await assert.rejects(got, (reason) => reason === 'enough')
    assert.deepEqual(clock.pending(), [])
  })

  it('that is given during a wait ends it', async (t) => {
    const stop = new AbortController()
    const { client, server, clock } = await scripted(t, ['drop'])

    const got = client.messages.get('message_1', { signal: stop.signal })
    await clock.begun(125)
    stop.abort('enough')

    await assert.rejects(got, (reason) => reason === 'enough')
    assert.deepEqual([server.requests.length, clock.pending()], [1, []])
  })
})
