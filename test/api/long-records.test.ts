import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startApi, type TestApi } from '../support/api.ts'

/** Near the longest text of a message. */
const body = 'x'.repeat(38_000)
const message = { to: '+4915112345678', body, maxParts: 255 }

async function withMessages(api: TestApi, count: number): Promise<readonly string[]> {
  const scheduledAt = new Date(api.clock.now() + 3_600_000).toISOString()
  for (let index = 0; index < count; index += 1) {
    await api.put(`/v1/messages/m${index}`, { ...message, scheduledAt })
  }
  return Array.from({ length: count }, (_, index) => `m${index}`)
}

describe('Notification records of 38,000 characters', () => {
  it('come in shorter pages, each once', async (t) => {
    const api = await startApi(t)
    const sent = await withMessages(api, 130)

    const pages: string[][] = []
    let target = '/v1/notifications?statuses=SCHEDULED&pageSize=1000'
    while (pages.at(-1)?.length !== 0) {
      const { text, json, headers } = await api.get(target)
      assert.ok(text.length < 8_000_000, `a page has ${text.length} characters`)
      pages.push(json.map(({ id }: { id: string }) => id))
      target = /<([^>]*)>; rel="next"/.exec(headers['link'] ?? '')?.[1] ?? ''
    }

    assert.equal(pages.length, 3)
    assert.deepEqual(pages.flat(), sent)
  })

  it('come one by one in a stream', async (t) => {
    const api = await startApi(t)
    const sent = await withMessages(api, 20)

    const { body: events } = await api.handle({
      method: 'GET',
      target: '/v1/notifications?statuses=SCHEDULED',
      headers: {
        authorization: `Bearer ${api.adminKey}`,
        accept: 'text/event-stream',
        'last-event-id': '0',
      },
      body: new Uint8Array(),
    })
    assert.ok(typeof events === 'object' && events !== null && Symbol.asyncIterator in events)
    const got: string[] = []
    const lengths: number[] = []
    for await (const piece of events) {
      lengths.push(piece.length)
      got.push(...Array.from(piece.matchAll(/"id":"(m\d+)"/g), ([, id = '']) => id))
      if (got.length === sent.length) break
    }

    assert.deepEqual(got, sent)
    assert.ok(Math.max(...lengths) < 5 * body.length, `up to ${Math.max(...lengths)} characters`)
    assert.ok((lengths.at(-1) ?? 0) < 2 * body.length)
  })
})
