import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startApi, type Read, type TestApi } from '../support/api.ts'

/** The target of the link to what comes next. */
function nextOf({ headers }: Read): string {
  return /<([^>]*)>; rel="next"/.exec(headers['link'] ?? '')?.[1] ?? ''
}

async function send(api: TestApi, body: string): Promise<void> {
  await api.post('/v1/messages', { to: '12345', body })
  await api.clock.advance(1000)
}

describe('Who polls the notifications', () => {
  it('is told where to go on while there are none', async (t) => {
    const api = await startApi(t)

    const empty = await api.get('/v1/notifications?pageSize=10')
    await send(api, 'one')
    const next = await api.get(nextOf(empty))
    const again = await api.get(nextOf(next))

    assert.deepEqual(empty.json, [])
    assert.match(nextOf(empty), /pageSize=10&after=/)
    assert.deepEqual([next.json.length, next.json[0].body], [1, 'one'])
    assert.deepEqual(again.json, [])
  })

  it('passes what it does not want once', async (t) => {
    const api = await startApi(t)
    await send(api, 'unwanted')
    const before = await api.get('/v1/notifications?types=RECEIVED')

    const all = nextOf(before).replace('types=RECEIVED&', '')
    const passed = await api.get(all)
    await send(api, 'wanted')
    const wanted = await api.get(all)

    assert.deepEqual([before.json, passed.json], [[], []])
    assert.deepEqual(
      wanted.json.map(({ body }: { body: string }) => body),
      ['wanted'],
    )
  })

  it('misses nothing that comes in between, page by page', async (t) => {
    const api = await startApi(t)
    const seen: string[] = []
    let target = '/v1/notifications?pageSize=2'

    for (let round = 0; round < 12; round += 1) {
      if (round % 2 === 0) await send(api, `message ${round}`)
      const page = await api.get(target)
      seen.push(...page.json.map(({ body }: { body: string }) => body))
      target = nextOf(page)
    }

    assert.deepEqual(
      seen,
      [0, 2, 4, 6, 8, 10].map((round) => `message ${round}`),
    )
  })
})
