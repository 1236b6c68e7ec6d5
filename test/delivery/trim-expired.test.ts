import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { auditEvents } from '../../src/collections/audit-events.ts'
import { builtIn } from '../../src/collections/built-in.ts'
import { incomingMessages } from '../../src/collections/incoming-messages.ts'
import { accountId, defaultAccount } from '../../src/core/account.ts'
import { accounts } from '../../src/collections/accounts.ts'
import { sessions } from '../../src/collections/sessions/sessions.ts'
import { signInCodes } from '../../src/collections/sessions/sign-in-codes.ts'
import { idempotentResponses } from '../../src/core/declaration/idempotent-responses.ts'
import { where, type Store } from '../../src/core/ports/store.ts'
import { timestamp } from '../../src/core/timestamp.ts'
import { slicePauseMs, trimExpired } from '../../src/delivery/retention/trim.ts'
import { openStore, presentStoreKinds } from '../gateway/support/stores.ts'
import { settle, virtualClock } from '../support/virtual-clock.ts'

const owners = [defaultAccount, ...['shop', 'bank', 'clinic'].map(accountId)]
const date = '2026-01-01T00:00:00.000Z'
const dayMs = 86_400_000
const times = { createdAt: date, updatedAt: date }

for (const kind of presentStoreKinds) {
  describe(`what has expired, over ${kind}`, () => {
    it('is removed in each account to the millisecond, and what waits stays', async () => {
      const clock = virtualClock()
      const now = clock.now()
      await using store = await openStore(kind, builtIn)
      for (const account of owners) await fill(store, account, now)

      await trimExpired({ store, clock, auditKeptMs: 2 * dayMs }, new AbortController().signal)

      for (const account of owners) {
        assert.deepEqual(await left(store, account), {
          responses: ['later'],
          incoming: ['known', 'waiting'],
          sessions: ['later'],
          codes: ['later'],
          events: ['young'],
        })
      }
    })

    it('is removed a slice at a time, with a pause after each', async () => {
      const clock = virtualClock()
      await using store = await openStore(kind, builtIn)
      const ids = Array.from({ length: 450 }, (_, index) => `s${index}`)
      await store.transact(async (transaction) => {
        const writer = transaction.in(defaultAccount)
        for (const id of ids) {
          await writer.save(signInCodes, { id }, { id, expiresAt: date, ...times }, { digest: id })
        }
      })
      const leftNow = () =>
        store.read(defaultAccount, (reader) => reader.count(signInCodes, null, where([], 0)))

      let isOver = false
      const pauses: number[] = []
      const { signal } = new AbortController()
      const trimming = trimExpired({ store, clock, auditKeptMs: dayMs }, signal)
      const over = trimming.finally(() => (isOver = true))
      while (!isOver) {
        await settle(1)
        if (clock.waiting() === 0) continue
        pauses.push(await leftNow())
        assert.ok(pauses.length < 9)
        await clock.advance(slicePauseMs)
      }
      await over

      assert.deepEqual([...pauses, await leftNow()], [250, 50, 0])
    })
  })
}

async function fill(store: Store, account: typeof defaultAccount, now: number): Promise<void> {
  await store.transact(async (transaction) => {
    const writer = transaction.in(account)
    await transaction
      .in(defaultAccount)
      .save(accounts, { id: account }, { id: account, name: account, active: true, ...times }, null)
    const until = { past: now - 1, over: now, later: now + 1 }
    for (const [id, expiresAt] of Object.entries(until)) {
      const response = { id, fingerprint: 'f', response: '{}', expiresAt, ...times }
      await writer.save(idempotentResponses, { id }, response, null)
      const end = timestamp(expiresAt)
      const hidden = { digest: `${account}-${id}` }
      const session = { id, key: null, account, scopes: [], expiresAt: end, ...times }
      await writer.save(sessions, { id }, session, hidden)
      await writer.save(signInCodes, { id }, { id, expiresAt: end, ...times }, hidden)
    }
    for (const [id, days] of Object.entries({ old: 3, young: 1 })) {
      const event = { id, date: timestamp(now - days * dayMs), action: 'CREATED', ...times }
      await writer.save(auditEvents, { id }, event, null)
    }
    const incoming = {
      over: [null, now],
      known: [null, now + 1],
      waiting: [now - 1, null],
    } as const
    for (const [id, [waitsUntil, expiresAt]] of Object.entries(incoming)) {
      const key = { carrier: 'c', from: '+1', to: '+2', reference: id, total: 2 }
      const instance = { id, account, ...key, parts: [], waitsUntil, expiresAt, ...times }
      await writer.save(incomingMessages, { id }, instance, null)
    }
  })
}

async function left(store: Store, account: typeof defaultAccount) {
  const idsOf = (collection: (typeof builtIn)[number]) =>
    store.read(account, async (reader) =>
      (await reader.list(collection, null, where([], 10))).map(({ id }) => id),
    )
  return {
    responses: await idsOf(idempotentResponses),
    incoming: await idsOf(incomingMessages),
    sessions: await idsOf(sessions),
    codes: await idsOf(signInCodes),
    events: await idsOf(auditEvents),
  }
}
