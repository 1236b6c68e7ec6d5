import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accountId } from '../../src/core/account.ts'
import { foldLedger, ledgerMs, ledgers } from '../../src/gateway/credits/ledgers.ts'
import { creditStores, startShop, type Shop } from '../api/support/with-credits.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { virtualClock } from '../support/virtual-clock.ts'

const shop = accountId('shop')
const day = 24 * 3_600_000
const to = '+4915112345678'
const absent = await noPostgres()

/** Folds what is older than now, until nothing is left to be folded. */
async function fold({ api }: Shop, before = api.clock.now() + 1): Promise<void> {
  const once = (): Promise<boolean> =>
    api.store.transact((transaction) => foldLedger(transaction, shop, before, before))
  while (await once());
}

async function topUp({ api }: Shop, amount: number): Promise<void> {
  const { status } = await api.post('/v1/accounts/shop/creditMovements', { amount })
  assert.equal(status, 201)
}

for (const kind of creditStores) {
  const skip = kind === 'PostgreSQL' ? absent : false

  describe(`old movements of credits (${kind})`, { skip }, () => {
    it('become one with their sum, which is the balance still', async (t) => {
      const given = await startShop(t, kind, 3)
      for (const amount of [0.1, 0.2, -1.3, 7]) await topUp(given, amount)

      await fold(given)
      await topUp(given, 1)

      assert.deepEqual(await given.ledger(), ['OPENING 9', 'TOP_UP 1'])
      await given.check()
      const [, opening] = (await given.api.get('/v1/accounts/shop/creditMovements')).json
      assert.deepEqual([opening.balance, opening.messageId, opening.note], [9, null, null])
    })

    it('are folded again with what has grown old since', async (t) => {
      const given = await startShop(t, kind, 3)
      for (let time = 0; time < 450; time += 1) await topUp(given, 0.5)

      await fold(given)
      await topUp(given, 1)
      await fold(given)

      assert.deepEqual(await given.ledger(), ['OPENING 229'])
      await given.check()
    })

    it('stay while they are young', async (t) => {
      const given = await startShop(t, kind, 3)
      await topUp(given, 1)

      await fold(given, given.api.clock.now() - day)

      assert.deepEqual(await given.ledger(), ['TOP_UP 3', 'TOP_UP 1'])
    })

    it('stay, and are not looked at again, once the credits are no longer counted', async (t) => {
      const given = await startShop(t, kind, 3)
      const { api } = given
      await topUp(given, 1)
      await api.patch('/v1/accounts/shop', { creditBalance: null })
      const before = api.clock.now() + 1
      const ledger = await given.ledger()

      const mayBeMore = await api.store.transact((transaction) =>
        foldLedger(transaction, shop, before, before),
      )

      assert.equal(mayBeMore, false)
      assert.deepEqual(await given.ledger(), ledger)
    })

    it('stay where they are for a message that waits, which gets back what it took', async (t) => {
      const given = await startShop(t, kind, 3)
      const { api, as } = given
      const body = { to, body: 'a', scheduledAt: '2026-06-01T00:00:00.000Z' }
      await topUp(given, 1)
      const { json: waiting } = await api.post('/v1/messages', body, as)
      await topUp(given, 1)

      await fold(given)
      const folded = await given.ledger()
      await api.patch(`/v1/messages/${waiting.id}`, { status: { type: 'CANCELLED' } }, as)

      assert.deepEqual(folded, ['OPENING 4', 'RESERVED -1', 'TOP_UP 1'])
      assert.deepEqual(await given.ledger(), [...folded, 'RETURNED 1'])
      await given.check()
      await fold(given)
      assert.deepEqual(await given.ledger(), ['OPENING 5'])
    })
  })
}

describe('what looks after the ledgers', () => {
  it('folds movements of all accounts that are older than 400 days', async (t) => {
    const given = await startShop(t, 'memory', 3)
    await topUp(given, 1)
    const { store } = given.api
    const clock = virtualClock(given.api.clock.now() + ledgerMs + day)
    const looking = ledgers({ store, clock, log: () => {} })

    looking.start()
    await clock.advance(day)
    await looking[Symbol.asyncDispose]()

    assert.deepEqual(await given.ledger(), ['OPENING 4'])
  })

  it('goes on behind the first page of accounts', async (t) => {
    const given = await startShop(t, 'memory', 3)
    await topUp(given, 1)
    for (let index = 0; index < 210; index += 1) {
      await given.api.put(`/v1/accounts/another${index}`, { name: 'Another' })
    }
    const { store } = given.api
    const clock = virtualClock(given.api.clock.now() + ledgerMs + day)
    const looking = ledgers({ store, clock, log: () => {} })

    looking.start()
    await clock.advance(day)
    await looking[Symbol.asyncDispose]()

    assert.deepEqual(await given.ledger(), ['OPENING 4'])
  })
})

describe('the metrics of credits', () => {
  it('count what is committed, by why, and what is refused', async (t) => {
    const { api, as } = await startShop(t, 'sqlite', 3)
    const body = { to, body: 'a', scheduledAt: '2026-06-01T00:00:00.000Z' }
    const { json } = await api.post('/v1/messages', body, as)
    await api.post('/v1/messages', { ...body, body: 'a'.repeat(1000) }, as)
    await api.post('/v1/messages', body, { ...as, headers: { prefer: 'handling=dry-run' } })

    await api.patch(`/v1/messages/${json.id}`, { status: { type: 'CANCELLED' } }, as)

    const { text } = await api.get('/metrics')
    const lines = text.split('\n').filter((line: string) => line.startsWith('nuncio_credits'))
    assert.deepEqual(lines.toSorted(), [
      'nuncio_credits_moved_total{kind="CHANGED"} 0',
      'nuncio_credits_moved_total{kind="RESERVED"} 1',
      'nuncio_credits_moved_total{kind="RETURNED"} 1',
      'nuncio_credits_moved_total{kind="TOP_UP"} 3',
      'nuncio_credits_moved_total{kind="WITHDRAWAL"} 0',
      'nuncio_credits_refused_total 1',
    ])
  })
})
