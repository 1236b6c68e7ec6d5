import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startApi } from '../support/api.ts'

describe('A key over its rate', () => {
  it('is told how long to wait, and waits no longer', async (t) => {
    const api = await startApi(t, { config: { rateLimit: 2, rateLimitBurst: 3 } })
    const ask = () => api.get('/v1/contacts')

    const burst = [await ask(), await ask(), await ask()]
    const refused = await ask()
    await api.clock.advance(500)
    const [later, again] = [await ask(), await ask()]

    assert.deepEqual(
      burst.map(({ status }) => status),
      [200, 200, 200],
    )
    assert.deepEqual(
      burst.map(({ headers }) => headers['ratelimit']),
      ['"key";r=2;t=1', '"key";r=1;t=1', '"key";r=0;t=2'],
    )
    assert.equal(refused.status, 429)
    assert.deepEqual(
      [refused.headers['retry-after'], refused.headers['ratelimit-policy'], refused.json.type],
      ['1', '"key";q=3;w=2', '/problems/too-many-requests'],
    )
    assert.deepEqual([later.status, again.status], [200, 429])
  })

  it('is told the same by policy and refusal, where less goes at once than in a second', async (t) => {
    const api = await startApi(t, { config: { rateLimit: 5, rateLimitBurst: 3 } })

    const answers = []
    for (let asked = 0; asked < 4; asked += 1) answers.push(await api.get('/v1/contacts'))
    const refused = answers.at(-1)

    assert.deepEqual(
      [refused?.status, refused?.headers['ratelimit-policy'], refused?.json.detail],
      [429, '"key";q=3;w=1', 'The key may send 3 requests in a burst, and 5 per second.'],
    )
  })

  it('is alone: another key has a rate of its own', async (t) => {
    const api = await startApi(t, { config: { rateLimit: 1, rateLimitBurst: 2 } })
    const key = await api.newAccount('acme')

    const [ours, theirs] = [await api.get('/v1/contacts'), await api.get('/v1/contacts', { key })]

    assert.deepEqual([ours.status, theirs.status], [429, 200])
  })

  it('sees its rate on refusals, too, and no fields where there is no limit', async (t) => {
    const limited = await startApi(t, { config: { rateLimit: 1, rateLimitBurst: 2 } })
    const free = await startApi(t)

    const missing = await limited.get('/v1/contacts/none')
    const unlimited = await free.get('/v1/contacts/none')

    assert.deepEqual([missing.status, missing.headers['ratelimit']], [404, '"key";r=1;t=1'])
    assert.equal('ratelimit' in unlimited.headers, false)
  })
})
