import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { TestApi } from '../support/api.ts'
import { startOver, storeKinds } from './support/over-stores.ts'

const accounts = ['acme', 'bank', 'clinic', 'depot']
const shop = '+27820000000'
const desk = '+27820000009'

/** Sends or imports a message in an account. */
async function say(api: TestApi, account: string, message: Record<string, string>): Promise<void> {
  const { status, text } = await api.post('/v1/messages', message, {
    key: keysOf(api).get(account) ?? null,
  })
  assert.equal(status, 201, text)
  await api.clock.advance(1)
}

const keys = new WeakMap<TestApi, Map<string, string>>()
const keysOf = (api: TestApi): Map<string, string> => keys.get(api) ?? new Map()

/** Starts the service with four accounts that have administrators' keys, so that they can import messages. */
async function started(t: TestContext, kind: (typeof storeKinds)[number]): Promise<TestApi> {
  const api = await startOver(t, kind)
  const made = new Map<string, string>()
  for (const account of accounts) made.set(account, await api.newAccount(account, ['*', 'admin']))
  keys.set(api, made)
  return api
}

const sent = (to: string, body: string, from = shop) => ({ to, from, body })
const received = (from: string, body: string, to = shop) => ({ type: 'RECEIVED', to, from, body })

interface Shown {
  readonly counterpart: string
  readonly address: string
  readonly lastMessage: { readonly body: string }
}

async function list(api: TestApi, account: string, query = ''): Promise<readonly string[]> {
  const key = keysOf(api).get(account) ?? null
  const { json, text } = await api.get(`/v1/conversations?${query}`, { key })
  assert.ok(Array.isArray(json), text)
  return json.map(({ counterpart, address, lastMessage }: Shown) =>
    [counterpart, address, lastMessage.body].join(' '),
  )
}

for (const kind of storeKinds) {
  describe(`Conversations (${kind})`, () => {
    it('are one for each counterpart and address, with the last message, newest first', async (t) => {
      const api = await started(t, kind)
      for (const account of accounts) {
        await say(api, account, sent('+49150001', 'a1'))
        await say(api, account, sent('+49150002', 'b1'))
        await say(api, account, received('+49150001', `a2 ${account}`))
        await say(api, account, sent('+49150001', 'a3', desk))
        await say(api, account, sent('+49150003', 'c1'))
      }

      for (const account of accounts) {
        assert.deepEqual(await list(api, account), [
          `+49150003 ${shop} c1`,
          `+49150001 ${desk} a3`,
          `+49150001 ${shop} a2 ${account}`,
          `+49150002 ${shop} b1`,
        ])
        assert.deepEqual(await list(api, account, 'counterpart=%2B49150001'), [
          `+49150001 ${desk} a3`,
          `+49150001 ${shop} a2 ${account}`,
        ])
        assert.deepEqual(await list(api, account, `address=${encodeURIComponent(desk)}`), [
          `+49150001 ${desk} a3`,
        ])
      }
      const { json } = await api.get('/v1/conversations?account=bank&fields=lastMessage')
      assert.equal(json[2].lastMessage.body, 'a2 bank')
      assert.equal(json[2].lastMessage.status.type, 'RECEIVED')
    })

    it('are paged on and back, each once, however chatty newer ones are', async (t) => {
      const api = await started(t, kind)
      for (let nth = 1; nth <= 9; nth += 1) await say(api, 'acme', sent(`+49150001${nth}`, 'x'))
      for (let nth = 1; nth <= 9; nth += 3) await say(api, 'acme', received(`+49150001${nth}`, 'y'))
      const expected = [7, 4, 1, 9, 8, 6, 5, 3, 2].map((nth) => `+49150001${nth}`)

      const key = keysOf(api).get('acme') ?? null
      const pages: string[][] = []
      let last = '/v1/conversations?pageSize=2'
      for (let next: string | null = last; next !== null;) {
        last = next
        const { json, headers } = await api.get(next, { key })
        pages.push(json.map(({ counterpart }: never) => counterpart))
        next = linkTo(headers['link'], 'next')
      }
      const back: string[][] = []
      for (let prev: string | null = last; prev !== null && back.length < 9;) {
        const { json, headers } = await api.get(prev, { key })
        if (json.length > 0) back.unshift(json.map(({ counterpart }: never) => counterpart))
        prev = linkTo(headers['link'], 'prev')
      }

      assert.deepEqual(pages.flat(), expected)
      assert.deepEqual(back.flat(), expected)
      assert.deepEqual(
        await list(api, 'acme', 'pageSize=4&page=2').then((all) =>
          all.map((one) => one.split(' ')[0]),
        ),
        expected.slice(4, 8),
      )
    })

    it('have their messages under counterpart, and no one else’s', async (t) => {
      const api = await started(t, kind)
      for (const account of accounts) {
        await say(api, account, sent('+49150001', `${account} 1`))
        await say(api, account, received('+49150001', `${account} 2`))
        await say(api, account, received('+49150009', `${account} 3`, '+49150001'))
        await say(api, account, sent('+49150002', `${account} 4`, '+49150001'))
      }

      for (const account of accounts) {
        const key = keysOf(api).get(account) ?? null
        const bodies = async (query: string) =>
          (await api.get(`/v1/messages?${query}`, { key })).json.map(({ body }: never) => body)
        assert.deepEqual(await bodies('counterpart=%2B49%2015000%201'), [
          `${account} 2`,
          `${account} 1`,
        ])
        assert.deepEqual(
          await bodies('counterpart=%2B49150001&counterpart=%2B49150002&type=SENT'),
          [`${account} 4`, `${account} 1`],
        )
      }
      const counted = await api.get('/v1/messages?counterpart=%2B49150001&account=bank', {
        headers: { prefer: 'count=exact' },
      })
      assert.equal(counted.headers['x-total-count'], '2')
    })

    it('refuse what would need every message, and name what they take', async (t) => {
      const api = await started(t, kind)
      const refused = async (query: string) => {
        const { status, json } = await api.get(`/v1/conversations?${query}`)
        return [status, json.errors?.[0]?.parameter]
      }

      assert.deepEqual(await refused('sort=counterpart_asc'), [400, 'sort'])
      assert.deepEqual(await refused('sort=id_asc'), [400, 'sort'])
      assert.deepEqual(await refused('counterpart_like=*1'), [400, 'counterpart_like'])
      assert.deepEqual(await refused('lastMessage.body=x'), [400, 'lastMessage.body'])
      assert.deepEqual(await refused('createdAt_gte=2026-01-01T00:00:00Z'), [200, undefined])
      assert.equal((await api.post('/v1/conversations', { counterpart: '+49150001' })).status, 405)
    })
  })
}

function linkTo(link: string | undefined, rel: string): string | null {
  return new RegExp(`<([^>]*)>; rel="${rel}"`).exec(link ?? '')?.[1] ?? null
}
