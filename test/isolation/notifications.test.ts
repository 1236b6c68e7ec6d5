import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { startApi, type TestApi } from '../support/api.ts'
import { settle } from '../support/virtual-clock.ts'

/** A stream of notifications, read as far as it goes. */
interface Stream {
  /** All that came, in pieces as they came. */
  readonly chunks: readonly string[]
}

async function openStream(
  t: TestContext,
  api: TestApi,
  key: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Stream> {
  const gone = new AbortController()
  const answer = await api.handle({
    method: 'GET',
    target: '/v1/notifications',
    headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream', ...headers },
    body: new Uint8Array(),
    gone: () => gone.signal,
  })
  const { body } = answer
  const isStream = typeof body === 'object' && body !== null && !(body instanceof Uint8Array)
  assert.ok(isStream, `answered ${answer.status}`)
  const chunks: string[] = []
  const read = (async () => {
    for await (const chunk of body) chunks.push(chunk)
  })()
  t.after(async () => {
    gone.abort()
    await read
  })
  await settle()
  return { chunks }
}

async function send(api: TestApi, key: string, body: string): Promise<void> {
  await api.post('/v1/messages', { to: '12345', body }, { key })
  await api.clock.advance(1000)
}

const places = (chunks: readonly string[]) =>
  [...chunks.join('').matchAll(/^id: (.*)$/gm)].map(([, place = '']) => place)

describe('The stream of an account', () => {
  it('hands on its own notifications, and is silent about those of others', async (t) => {
    const api = await startApi(t)
    const [ours, theirs] = [await api.newAccount('ours'), await api.newAccount('theirs')]
    const { chunks } = await openStream(t, api, ours)

    await send(api, theirs, 'secret')
    const silent = chunks.length
    await send(api, ours, 'own')

    assert.equal(silent, 1)
    assert.match(chunks.join(''), /own/)
    assert.doesNotMatch(chunks.join(''), /secret/)
  })

  it('does not go on from the place of another', async (t) => {
    const api = await startApi(t)
    const [ours, theirs] = [await api.newAccount('ours'), await api.newAccount('theirs')]
    await send(api, ours, 'own')
    await send(api, theirs, 'secret')
    const { chunks } = await openStream(t, api, theirs, { 'last-event-id': '0' })
    const [, place = ''] = places(chunks)

    const [page, event, never] = [
      await api.get(`/v1/notifications?after=${place}`, { key: ours }),
      await api.get('/v1/notifications', { key: ours, headers: { 'last-event-id': place } }),
      await api.get('/v1/notifications?after=never', { key: ours }),
    ]

    assert.equal(place.length, 54)
    for (const answer of [page, event]) {
      assert.deepEqual([answer.status, answer.json.errors], [400, never.json.errors])
    }
  })

  it('begins and goes on at a place that tells nothing of others', async (t) => {
    const api = await startApi(t)
    const ours = await api.newAccount('ours')
    const nextOf = async () => (await api.get('/v1/notifications', { key: ours })).headers['link']

    const [first, second] = [await openStream(t, api, ours), await openStream(t, api, ours)]
    const links = [await nextOf(), await nextOf()]

    assert.notEqual(places(first.chunks)[0], places(second.chunks)[0])
    assert.notEqual(links[0], links[1])
  })

  it('breathes as regularly whatever others do', async (t) => {
    const api = await startApi(t)
    const ours = await api.newAccount('ours')
    const { chunks } = await openStream(t, api, ours)

    for (let second = 0; second < 60; second += 5) {
      await api.newAccount(`other-${second}`)
      await api.clock.advance(5000)
    }

    assert.equal(chunks.filter((chunk) => chunk.startsWith(': still here\n')).length, 4)
  })
})
