import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import type { NotificationFeed, StreamInterruption } from '../src/index.ts'
import { scripted } from './support/a-client.ts'
import { problem, type Reply } from './support/scripted-server.ts'

/** Opens a stream with these events, then calls `then`. */
function stream(text: string, then: (response: ServerResponse) => void = () => {}): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(text)
    then(response)
  }
}

function event(place: number): string {
  return `id: ${place}\ndata: {"id":"message_${place}"}\n\n`
}

const close = (response: ServerResponse): unknown => response.end()

async function take(feed: NotificationFeed, count: number): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of feed) if (ids.push(id) === count) break
  return ids
}

describe('the stream of notifications', () => {
  it('hands out the records as they come', async (t) => {
    const { client, server } = await scripted(t, [
      stream(`id: 0\n\n${event(1)}: still here\n\n${event(2)}`),
    ])
    const feed = client.notifications.stream({ types: ['SENT'], statuses: ['SENT', 'FAILED'] })

    const ids = await take(feed, 2)

    assert.deepEqual(ids, ['message_1', 'message_2'])
    const { target, headers } = server.requests[0] ?? {}
    assert.equal(target, '/v1/notifications?types=SENT&statuses=SENT%2CFAILED')
    assert.deepEqual(
      [headers?.['accept'], headers?.['last-event-id']],
      ['text/event-stream', undefined],
    )
  })

  it('continues after the last record if the connection is lost', async (t) => {
    let cut = (): void => {}
    const { client, server, clock } = await scripted(t, [
      stream(event(1), (response) => {
        cut = () => response.destroy()
      }),
      'drop',
      stream(event(2), close),
      stream(event(3)),
    ])
    const records = client.notifications.stream({ after: '0' })[Symbol.asyncIterator]()

    const first = await records.next()
    const second = records.next()
    cut()
    await clock.pass(125)
    await clock.pass(250)
    await second
    const third = records.next()
    await clock.pass(125)
    await third
    await records.return?.()

    assert.deepEqual(
      [first, await second, await third].map(({ value }) => value?.id),
      ['message_1', 'message_2', 'message_3'],
    )
    const places = server.requests.map(({ headers }) => headers['last-event-id'])
    assert.deepEqual(places, ['0', '1', '1', '2'])
  })

  it('continues at the cursor that the service named before any record', async (t) => {
    const { client, server, clock } = await scripted(t, [
      stream('id: 41\n\n', close),
      stream(event(42)),
    ])

    const taken = take(client.notifications.stream(), 1)
    await clock.pass(125)

    assert.deepEqual(await taken, ['message_42'])
    assert.equal(server.requests[1]?.headers['last-event-id'], '41')
  })

  it('has the cursor for a later start', async (t) => {
    const { client, server } = await scripted(t, [
      stream(event(1) + event(2)),
      stream(event(2)),
      stream(event(3)),
    ])
    const feed = client.notifications.stream()
    const before = feed.lastEventId

    await take(feed, 1)
    const after = feed.lastEventId
    await take(feed, 1)
    await take(client.notifications.stream({ after: feed.lastEventId ?? '' }), 1)

    assert.deepEqual([before, after, feed.lastEventId], [null, '1', '2'])
    const places = server.requests.map(({ headers }) => headers['last-event-id'])
    assert.deepEqual(places, [undefined, '1', '2'])
  })

  it('is opened again after 45 seconds of silence', async (t) => {
    const { client, clock } = await scripted(t, [stream(event(1)), stream(event(2))])
    const records = client.notifications.stream()[Symbol.asyncIterator]()

    await records.next()
    const second = records.next()
    await clock.pass(45_000)
    await clock.pass(125)
    const { value } = await second
    await records.return?.()

    assert.equal(value?.id, 'message_2')
  })

  it('does not hurry one who takes time over a record', async (t) => {
    const { client, clock } = await scripted(t, [stream(event(1) + event(2))])

    for await (const { id } of client.notifications.stream()) {
      assert.deepEqual(clock.pending(), [])
      if (id === 'message_2') break
    }
  })

  it('waits as long as the service asks, as often as it takes', async (t) => {
    const starting = problem(503, 'unavailable', { headers: { 'retry-after': '2' } })
    const { client, clock } = await scripted(t, [...Array(6).fill(starting), stream(event(1))])

    const taken = take(client.notifications.stream(), 1)
    for (const delayMs of [125, 250, 500, 1000, 2000, 4000]) await clock.pass(2000 + delayMs)

    assert.deepEqual(await taken, ['message_1'])
  })

  it('is opened again soon after a connection that lasted, even without a record', async (t) => {
    const opened: ServerResponse[] = []
    const held = stream('id: 1\n\n', (response) => opened.push(response))
    const brief = stream('id: 1\n\n', close)
    const { client, server, clock } = await scripted(t, [brief, brief, held, stream(event(2))])

    const taken = take(client.notifications.stream(), 1)
    await clock.pass(125)
    await clock.pass(250)
    await server.arrived(3)
    clock.move(30_000)
    opened[0]?.end()
    await clock.pass(125)

    assert.deepEqual(await taken, ['message_2'])
  })

  it('calls back for each connection and each interruption, and waits as the stream asks', async (t) => {
    const { client, clock } = await scripted(t, [
      stream('retry: 5000\n\n', close),
      'drop',
      stream(event(1)),
    ])
    const calls: unknown[] = []
    const options = {
      onOpen: () => calls.push('open'),
      onInterrupted: ({ cause, delayMs }: StreamInterruption) =>
        calls.push([cause instanceof Error ? cause.name : cause, delayMs]),
    }

    const taken = take(client.notifications.stream({}, options), 1)
    await clock.pass(5125)
    await clock.pass(5250)

    assert.deepEqual(await taken, ['message_1'])
    assert.deepEqual(calls, ['open', [null, 5125], ['NuncioConnectionError', 5250], 'open'])
  })

  it('ends with what a callback throws', async (t) => {
    const { client } = await scripted(t, ['drop'])
    const enough = new Error('enough')
    const onInterrupted = (): void => {
      throw enough
    }

    await assert.rejects(take(client.notifications.stream({}, { onInterrupted }), 1), enough)
  })

  it('ends if an event is not JSON', async (t) => {
    const { client } = await scripted(t, [stream('data: half\n\n')])

    await assert.rejects(take(client.notifications.stream(), 1), { fault: 'malformed' })
  })

  it('ends with a permanent refusal', async (t) => {
    const { client } = await scripted(t, [problem(401, 'unauthorized')])

    await assert.rejects(take(client.notifications.stream(), 1), { type: 'unauthorized' })
  })

  it('ends where what answers is no event stream', async (t) => {
    const { client } = await scripted(t, [
      { headers: { 'content-type': 'text/html' }, body: '<p>' },
    ])

    await assert.rejects(take(client.notifications.stream(), 1), { fault: 'malformed' })
  })

  it('closes the connection when the reader stops', async (t) => {
    const closed: Promise<unknown>[] = []
    const watched = (response: ServerResponse): unknown => closed.push(once(response, 'close'))
    const { client, clock } = await scripted(t, [stream(event(1), watched)])

    await take(client.notifications.stream(), 1)

    assert.equal((await Promise.all(closed)).length, 1)
    assert.deepEqual(clock.pending(), [])
  })

  it('ends with the reason of a signal', async (t) => {
    const stop = new AbortController()
    const { client, clock } = await scripted(t, [stream(event(1))])
    const feed = client.notifications.stream({}, { signal: stop.signal })

    const reading = (async () => {
      for await (const _ of feed) setImmediate(() => stop.abort('enough'))
    })()

    await assert.rejects(reading, (reason) => reason === 'enough')
    assert.deepEqual(clock.pending(), [])
  })
})

describe('polling for notifications', () => {
  const next = (place: number) => ({
    link: `</v1/notifications>; rel="first", </v1/notifications?after=${place}>; rel="next"`,
  })
  const records = (...places: number[]) => places.map((place) => ({ id: `message_${place}` }))

  it('asks again after the last page, a while later', async (t) => {
    const { client, server, clock } = await scripted(t, [
      { headers: next(2), body: records(1, 2) },
      { headers: next(2), body: [] },
      { headers: next(3), body: records(3) },
    ])

    const taken = take(client.notifications.poll({ types: ['RECEIVED'], everyMs: 1000 }), 3)
    await clock.pass(1000)
    await clock.pass(1000)

    assert.deepEqual(await taken, ['message_1', 'message_2', 'message_3'])
    assert.deepEqual(
      server.requests.map(({ target }) => target),
      [
        '/v1/notifications?types=RECEIVED&pageSize=500',
        '/v1/notifications?types=RECEIVED&after=2&pageSize=500',
        '/v1/notifications?types=RECEIVED&after=2&pageSize=500',
      ],
    )
  })

  it('asks immediately after a full page', async (t) => {
    const full = records(...Array(500).keys())
    const { client } = await scripted(t, [
      { headers: next(499), body: full },
      { headers: next(500), body: records(500) },
    ])

    const ids = await take(client.notifications.poll(), 501)

    assert.equal(ids.at(-1), 'message_500')
  })

  it('hands out all of a page again to one who stopped within it', async (t) => {
    const page = { headers: next(2), body: records(1, 2) }
    const { client } = await scripted(t, [page, page])
    const feed = client.notifications.poll({ after: '0' })

    const first = await take(feed, 1)
    const again = await take(feed, 2)

    assert.deepEqual([first, again], [['message_1'], ['message_1', 'message_2']])
    assert.equal(feed.lastEventId, '0')
  })

  it('continues after a temporary failure', async (t) => {
    const busy = problem(429, 'too-many-requests', { headers: { 'retry-after': '100' } })
    const { client, clock } = await scripted(t, [busy, { headers: next(1), body: records(1) }])

    const taken = take(client.notifications.poll(), 1)
    await clock.pass(105_000)

    assert.deepEqual(await taken, ['message_1'])
  })

  it('ends with a permanent refusal', async (t) => {
    const { client } = await scripted(t, [problem(403, 'forbidden')])

    await assert.rejects(take(client.notifications.poll(), 1), { type: 'forbidden' })
  })

  it('can be done by hand, page by page', async (t) => {
    const { client, server } = await scripted(t, [{ headers: next(2), body: records(1, 2) }])

    const page = await client.notifications.list({ after: '0', pageSize: 2 })

    assert.deepEqual(page, { items: records(1, 2), next: '2' })
    assert.equal(server.requests[0]?.target, '/v1/notifications?after=0&pageSize=2')
  })
})
