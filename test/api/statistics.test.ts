import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { startOver, storeKinds } from './support/over-stores.ts'

const accounts = ['acme', 'bank', 'clinic', 'depot']

/** Starts the service with four accounts; the first sends one message, the second two, and so on. */
async function started(t: TestContext, kind: (typeof storeKinds)[number]) {
  const api = await startOver(t, kind)
  const keys = new Map<string, string>()
  for (const [nth, account] of accounts.entries()) {
    const key = await api.newAccount(account)
    keys.set(account, key)
    for (let sent = 0; sent <= nth; sent += 1) {
      await api.post('/v1/messages', { to: '+27820000001', body: 'x'.repeat(200) }, { key })
    }
  }
  const query = 'status=DELIVERED&resolution=HOUR&fields=account,messages,parts,carrier'
  const isThere = async (): Promise<boolean> => {
    const { json } = await api.get(`/v1/statistics?${query}`)
    return json.length === 4 && json.every(({ messages, account }: Row) => messages === of(account))
  }
  for (let round = 0; round < 100 && !(await isThere()); round += 1) await api.clock.advance(500)
  return { api, keys, query }
}

interface Row {
  readonly account: string
  readonly messages: number
  readonly parts: number
  readonly carrier: string
}

const of = (account: string): number => accounts.indexOf(account) + 1

for (const kind of storeKinds) {
  describe(`The statistics (${kind})`, () => {
    it('show an account its own counts, and an administrator those of all or of one', async (t) => {
      const { api, keys, query } = await started(t, kind)
      const list = async (more: string, key = api.adminKey): Promise<readonly object[]> => {
        const { json } = await api.get(`/v1/statistics?${query}${more}`, { key })
        return json.map(({ carrier, messages, parts, account }: Row) => {
          return { carrier, messages, parts, account }
        })
      }
      const row = (account: string) => {
        const messages = of(account)
        return { carrier: 'carrier_simulator', messages, parts: 2 * messages, account }
      }

      assert.deepEqual(await list('&sort=account_asc'), accounts.map(row))
      assert.deepEqual(await list('&account=clinic'), [row('clinic')])
      for (const account of accounts) {
        assert.deepEqual(await list('', keys.get(account)), [row(account)])
        const named = await list('&account=acme', keys.get(account))
        assert.equal(named.length, account === 'acme' ? 1 : 0)
      }
    })

    it('count every status that a message enters', async (t) => {
      const { api, keys } = await started(t, kind)
      const key = keys.get('depot') ?? null

      const { json } = await api.get('/v1/statistics?resolution=HOUR&sort=status_asc', { key })

      assert.deepEqual(
        json.map(({ status, messages }: never) => [status, messages]),
        ['ACCEPTED', 'DELIVERED', 'SENT'].map((status) => [status, 4]),
      )
    })

    it('are filtered by time, carrier, status and resolution, and read by their identifier', async (t) => {
      const { api } = await started(t, kind)
      const count = async (filter: string): Promise<number> =>
        (await api.get(`/v1/statistics?account=acme&${filter}`)).json.length

      assert.equal(await count('resolution=MINUTE&date_gte=2026-01-01T00:00:00Z'), 3)
      assert.equal(await count('resolution=MINUTE&date_gte=2026-01-01T00:01:00Z'), 0)
      assert.equal(await count('date_lt=2026-01-01T00:01:00Z&status=SENT'), 2)
      assert.equal(await count('carrier=carrier_simulator&status=SENT&resolution=HOUR'), 1)
      assert.equal(await count('carrier=other'), 0)
      const [first] = (await api.get('/v1/statistics')).json
      const one = await api.get(`/v1/statistics/${first.id}`)
      assert.deepEqual(one.json, first)
    })

    it('are read with their scope alone, and never written', async (t) => {
      const api = await startOver(t, kind)
      const reader = await api.newAccount('acme', ['statistics:read'])
      const other = await api.newAccount('bank', ['messages:read'])

      assert.equal((await api.get('/v1/statistics', { key: reader })).status, 200)
      assert.equal((await api.get('/v1/statistics', { key: other })).status, 403)
      const made = await api.post('/v1/statistics', { messages: 1 })
      assert.equal(made.status, 405)
    })
  })
}
