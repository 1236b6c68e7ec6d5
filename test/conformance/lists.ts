import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Read, TestApi } from '../support/api.ts'

const ids = ({ json }: Read): string[] => json.map(({ id }: { id: string }) => id)

const linked = ({ headers }: Read, rel: string): string | null =>
  new RegExp(`<([^>]+)>; rel="${rel}"`).exec(headers['link'] ?? '')?.[1] ?? null

const next = (page: Read): string | null => linked(page, 'next')

/** What the interface says of lists, whoever serves it. */
export function speaksOfLists(title: string, startApi: (t: TestContext) => Promise<TestApi>): void {
  describe(title, () => {
    describe('GET /v1/{collection}', () => {
      it('is a bare array, oldest first, messages newest first', async (t) => {
        const api = await startApi(t)
        for (const id of ['zoe', 'ada', 'bob']) {
          await api.put(`/v1/contacts/${id}`, { address: '111' })
          await api.put(`/v1/messages/m-${id}`, { to: '111', body: 'hello' })
          await api.clock.advance(1)
        }

        assert.deepEqual(ids(await api.get('/v1/contacts')), ['zoe', 'ada', 'bob'])
        assert.deepEqual(ids(await api.get('/v1/messages')), ['m-zoe', 'm-bob', 'm-ada'])
      })

      it('walks all pages by Link, which keeps every parameter', async (t) => {
        const api = await startApi(t)
        for (let index = 0; index < 25; index += 1) {
          await api.put(`/v1/contacts/c${String(index).padStart(2, '0')}`, {
            address: `${1000 + index}`,
            name: `n ${index % 3}`,
          })
        }

        const seen: string[] = []
        let pages = 0
        let target: string | null =
          '/v1/contacts?pageSize=10&sort=name_desc&name_ne=x%20y&fields=name'
        while (target !== null) {
          const page: Read = await api.get(target)
          assert.deepEqual(Object.keys(page.json[0]), ['id', 'name'])
          seen.push(...ids(page))
          pages += 1
          target = next(page)
          if (target !== null)
            assert.match(target, /pageSize=10&sort=name_desc&name_ne=x\+y&fields=name&after=/)
        }

        assert.equal(pages, 3)
        assert.equal(new Set(seen).size, 25)
        assert.deepEqual(seen.slice(0, 8), ['c02', 'c05', 'c08', 'c11', 'c14', 'c17', 'c20', 'c23'])
      })

      it('walks back by Link as it came', async (t) => {
        const api = await startApi(t)
        for (let index = 0; index < 5; index += 1) {
          await api.put(`/v1/contacts/c${index}`, { address: `${1000 + (index % 2)}` })
          await api.put(`/v1/messages/m${index}`, { to: '111', body: 'hello' })
          if (index % 2 === 0) await api.clock.advance(1)
        }
        const walk = async (rel: string, from: string | null): Promise<readonly string[]> => {
          const pages: string[] = []
          for (let target = from; target !== null;) {
            const page: Read = await api.get(target)
            pages.push(ids(page).join())
            target = linked(page, rel)
          }
          return pages
        }

        for (const query of [
          'contacts?pageSize=2',
          'messages?pageSize=2',
          'contacts?pageSize=2&sort=address_desc',
          'contacts?pageSize=2&sort=createdAt_desc,id_asc&address=1000&address=1001',
        ]) {
          const there = await walk('next', `/v1/${query}`)
          let last: Read = await api.get(`/v1/${query}`)
          for (let to = next(last); to !== null; to = next(last)) last = await api.get(to)
          const back = await walk('prev', linked(last, 'prev'))
          const first: Read = await api.get(linked(last, 'prev') ?? '')

          assert.equal(there.length, 3)
          assert.deepEqual([...back].toReversed(), there.slice(0, 2))
          assert.deepEqual(ids(await api.get(next(first) ?? '')), ids(last))
        }
      })

      it('has no way back by a cursor where the order has nulls', async (t) => {
        const api = await startApi(t)
        for (const id of ['a', 'b', 'c']) await api.put(`/v1/contacts/${id}`, { address: '111' })

        const first = await api.get('/v1/contacts?pageSize=2&sort=name_asc')
        const second = await api.get(next(first) ?? '')

        assert.deepEqual(ids(second), ['c'])
        assert.equal(linked(second, 'prev'), null)
      })

      it('numbers pages; one past the end is empty', async (t) => {
        const api = await startApi(t)
        for (const id of ['a', 'b', 'c']) await api.put(`/v1/contacts/${id}`, { address: '111' })

        const second = await api.get('/v1/contacts?page=2&pageSize=2', {
          headers: { prefer: 'count=exact' },
        })
        const beyond = await api.get('/v1/contacts?page=9')

        assert.deepEqual(ids(second), ['c'])
        assert.equal(
          second.headers['link'],
          '</v1/contacts?pageSize=2>; rel="first", </v1/contacts?pageSize=2&page=1>; rel="prev"',
        )
        assert.equal(second.headers['x-total-count'], '3')
        assert.equal(second.headers['preference-applied'], 'count=exact')
        assert.deepEqual([beyond.status, beyond.text], [200, '[]'])
      })

      it('ends a page that would be too long early, and refuses it if pages are counted', async (t) => {
        const api = await startApi(t)
        const attributes = { ['k'.repeat(1_000_000)]: 'x' }
        const all = Array.from({ length: 34 }, (_, index) => `c${index + 10}`)
        for (const id of all) await api.put(`/v1/contacts/${id}`, { address: '111', attributes })

        const read: string[] = []
        let target = '/v1/contacts?pageSize=1000'
        while (target !== '') {
          const page = await api.get(target)
          read.push(...ids(page))
          target = /<([^>]*)>; rel="next"/.exec(page.headers['link'] ?? '')?.[1] ?? ''
          assert.ok(page.text.length < 20_000_000)
        }
        const counted = await api.get('/v1/contacts?pageSize=1000&page=1')

        assert.deepEqual(read, all)
        assert.deepEqual([counted.status, counted.json.errors[0].parameter], [400, 'pageSize'])
      })

      it('filters and searches', async (t) => {
        const api = await startApi(t)
        await api
          .put('/v1/contacts/ada', { address: '+49 151 1', name: 'Ada Lovelace' })
          .catch(() => {})
        await api.put('/v1/contacts/ada', {
          address: '+4915112345678',
          name: 'Ada Lovelace',
          tags: ['vip'],
        })
        await api.put('/v1/contacts/emil', {
          address: '222',
          name: 'ÉMILE 100%',
          attributes: { city: 'Paris' },
        })
        await api.put('/v1/contacts/none', { address: '333' })
        const found = async (query: string) => ids(await api.get(`/v1/contacts?${query}`))

        assert.deepEqual(await found('search=émile'), ['emil'])
        assert.deepEqual(await found('search=lace ada'), ['ada'])
        assert.deepEqual(await found('search=0%25'), ['emil'])
        assert.deepEqual(await found('search=_'), [])
        assert.deepEqual(await found('tags=vip'), ['ada'])
        assert.deepEqual(await found('attributes.city=Paris'), ['emil'])
        assert.deepEqual(await found('name=null'), ['none'])
        assert.deepEqual(await found('name_ne=null'), ['ada', 'emil'])
        assert.deepEqual(await found('name_like=A*e'), ['ada'])
        assert.deepEqual(await found('address=%2B49 151-12345678'), ['ada'])
      })

      it('refuses a pattern that is too long or has too many wildcards, however it is sent', async (t) => {
        const api = await startApi(t)
        await api.put('/v1/contacts/long', { address: '111', name: 'a'.repeat(100) })
        const override = { headers: { 'x-http-method-override': 'GET' } }
        const ask = (pattern: string) =>
          Promise.all([
            api.get(`/v1/contacts?name_like=${pattern}`),
            api.post('/v1/contacts', { name_like: pattern }, override),
            api.request('QUERY', '/v1/contacts', { name_like: pattern }),
          ])

        const within = [...(await ask('*a'.repeat(10))), ...(await ask('*'.padEnd(200, 'a')))]
        const beyond = [...(await ask('*a'.repeat(11))), ...(await ask('*'.padEnd(201, 'a')))]

        assert.deepEqual(
          within.map(({ status, json }) => [status, json.length]),
          [1, 1, 1, 0, 0, 0].map((found) => [200, found]),
        )
        for (const { status, json } of beyond) {
          assert.equal(status, 400)
          assert.deepEqual(
            json.errors.map(({ parameter }: { parameter: string }) => parameter),
            ['name_like'],
          )
        }
      })

      it('names every parameter that is wrong', async (t) => {
        const api = await startApi(t)

        const { status, json } = await api.get('/v1/contacts?page=0&nme=x&sort=name')

        assert.equal(status, 400)
        assert.equal(json.type, '/problems/invalid-parameter')
        assert.deepEqual(
          json.errors.map(({ parameter }: { parameter: string }) => parameter),
          ['nme', 'sort', 'page'],
        )
      })
    })
  })
}
