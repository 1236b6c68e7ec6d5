import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { QueryTimeout, type Store } from '../../src/core/ports/store.ts'
import { standardOffer } from '../../src/wiring/wire.ts'
import { memoryStore } from '../oracle/memory-store.ts'
import { startApi, type Read, type TestApi } from '../support/api.ts'

/** Rows that a query examines before its budget ends. */
const examinedMax = 3

describe('a query that uses up its budget', () => {
  it('answers a list in its default order with what it found, and where to continue', async (t) => {
    for (const [path, newestFirst] of [
      ['/v1/messages', true],
      ['/v1/contacts', false],
    ] as const) {
      const api = await startApi(t, { store: storeWithoutTime() })
      const ids = await fill(api, path)

      const found: string[] = []
      const sizes: number[] = []
      for (let next: string | null = `${path}?pageSize=10`; next !== null;) {
        const page: Read = await api.get(next)
        assert.equal(page.status, 200)
        sizes.push(page.json.length)
        found.push(...page.json.map(({ id }: { id: string }) => id))
        next = linkOf(page, 'next')
      }

      assert.deepEqual(found, newestFirst ? ids.toReversed() : ids)
      assert.deepEqual(sizes, [3, 3, 2])
    }
  })

  it('leads back from the end of such a list as far as it was', async (t) => {
    const api = await startApi(t, { store: storeWithoutTime() })
    const ids = await fill(api, '/v1/messages')
    const first = await api.get('/v1/messages?pageSize=10')
    const second = await api.get(linkOf(first, 'next') ?? '')

    const back = await api.get(linkOf(second, 'prev') ?? '')

    assert.deepEqual(
      back.json.map(({ id }: { id: string }) => id),
      ids.toReversed().slice(0, 3),
    )
  })

  it('answers any other query 503 with what helps', async (t) => {
    const api = await startApi(t, { store: storeWithoutTime() })
    await fill(api, '/v1/messages')

    for (const target of ['/v1/messages?sort=body_asc', '/v1/messages?page=2&pageSize=4']) {
      const { status, json } = await api.get(target)
      assert.deepEqual([status, json.type.split('/').at(-1)], [503, 'query-timeout'])
      assert.match(json.detail, /5000 ms.*createdAt_gte/)
    }
    const counted = await api.get('/v1/messages?pageSize=2', {
      headers: { prefer: 'count=exact' },
    })
    assert.equal(counted.status, 503)
  })
})

/** A store in which a query examines few rows. */
function storeWithoutTime(): Store {
  const store = memoryStore(standardOffer.collections)
  return {
    ...store,
    page: async (account, collection, parent, query, limits) => {
      const wanted = { ...query, limit: Math.min(query.limit, examinedMax + 1) }
      const page = await store.page(account, collection, parent, wanted, limits)
      if (page.instances.length <= examinedMax) return page
      const isFirst = !('offset' in query.start) || query.start.offset === 0
      if (!limits.mayBePartial || !isFirst) throw new QueryTimeout('the query used up its time')
      const instances = page.instances.slice(0, examinedMax)
      const last = JSON.parse(instances.at(-1)?.doc ?? '{}')
      return { instances, examinedTo: query.sort.map(({ path: [name = ''] }) => last[name]) }
    },
    count: async () => {
      throw new QueryTimeout('the query used up its time')
    },
  }
}

async function fill(api: TestApi, path: string): Promise<readonly string[]> {
  const ids: string[] = []
  for (let index = 0; index < 8; index += 1) {
    const address = `+4915112345${String(index).padStart(3, '0')}`
    const body = path.endsWith('messages')
      ? { from: '+4915110000000', to: address, body: `text ${index}` }
      : { name: `contact ${index}`, address }
    const { json, status } = await api.post(path, body)
    assert.equal(status, 201, JSON.stringify(json))
    ids.push(json.id)
    await api.clock.advance(10)
  }
  return ids
}

function linkOf({ headers }: Read, rel: string): string | null {
  return new RegExp(`<([^>]*)>; rel="${rel}"`).exec(headers['link'] ?? '')?.[1] ?? null
}
