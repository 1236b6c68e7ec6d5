import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { builtIn } from '../../../src/collections/built-in.ts'
import { StoreUnavailable } from '../../../src/core/ports/store.ts'
import { answered } from '../../../src/delivery/egress/post.ts'
import { postgresStore } from '../../../src/stores/postgres/postgres-store.ts'
import { secretCipher } from '../../../src/stores/secret-cipher.ts'
import { startApi } from '../../support/api.ts'
import { patientClock } from '../../support/virtual-clock.ts'
import { ask, citusBinaries, startCluster } from './cluster.ts'
import { makeDistributed } from './distributed-store.ts'

const found = citusBinaries()
const skip = typeof found === 'string' ? found : false
if (skip !== false) console.error(`NOT TESTED: ${skip}`)

const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())

const accounts = ['acme', 'bank', 'clinic', 'depot']
const [first, second] = ['first '.repeat(8), 'second '.repeat(8)]

describe('the service on Citus', { skip }, () => {
  it('counts the messages of accounts on several workers, and stores no secret in clear', async (t) => {
    const { bin } = typeof found === 'string' ? assert.fail(found) : found
    const { url } = parts.use(await startCluster(bin))
    await makeDistributed(url, builtIn, 8)
    const clock = patientClock(() => store.health?.pools() ?? [])
    const store = await openWith(url, [first], clock)
    const post = async () => ({ outcome: answered(204, null), response: '' })
    const api = await startApi(t, { clock, store, post })
    const secrets: string[] = []
    const own = new Map<string, string>()
    for (const [nth, account] of accounts.entries()) {
      const key = await api.newAccount(account)
      own.set(account, key)
      const hook = { url: 'http://127.0.0.1:9/', headers: { Authorization: `Bearer ${account}!` } }
      const { json } = await api.post('/v1/webhooks', hook, { key })
      secrets.push(json.secret, `${account}!`)
      for (let sent = 0; sent <= nth; sent += 1) {
        await api.post('/v1/messages', { to: '+27820000001', body: 'x' }, { key })
      }
    }

    const target = '/v1/statistics?status=DELIVERED&resolution=HOUR&sort=account_asc'
    const counted = async (key = api.adminKey): Promise<readonly string[]> => {
      const { json } = await api.get(target, { key })
      return json.map(({ account, messages }: Row) => `${account} ${messages}`)
    }
    const all = accounts.map((account, nth) => `${account} ${nth + 1}`)
    for (let round = 0; round < 100 && (await counted()).join() !== all.join(); round += 1) {
      await api.clock.advance(500)
    }

    assert.deepEqual(await counted(), all)
    assert.deepEqual(await counted(own.get('depot')), ['depot 4'])
    const stored = JSON.stringify(await ask(url, ['select doc, hidden from "c/webhooks"']))
    assert.equal(secrets.length, 8)
    for (const secret of secrets) assert.ok(!stored.includes(secret.slice(-20)), secret)
    await assert.rejects(openWith(url, [second], clock), StoreUnavailable)
  })
})

interface Row {
  readonly account: string
  readonly messages: number
}

function openWith(url: string, keys: readonly string[], clock: ReturnType<typeof patientClock>) {
  return postgresStore(url, builtIn, () => {}, { clock, cipher: secretCipher(keys) })
}
