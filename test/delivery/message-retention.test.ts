import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accounts } from '../../src/collections/accounts.ts'
import { messages, type Message, type StatusType } from '../../src/collections/messages.ts'
import { webhooks } from '../../src/collections/webhooks.ts'
import { type AccountId, accountId, defaultAccount } from '../../src/core/account.ts'
import { initialProgress, progressText } from '../../src/delivery/progress/progress.ts'
import { messageRetention } from '../../src/delivery/retention/retain-messages.ts'
import { slicePauseMs } from '../../src/delivery/retention/trim.ts'
import type { RetentionDays } from '../../src/core/retention-days.ts'
import { timestamp } from '../../src/core/timestamp.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { openStore, presentStoreKinds, type StoreKind } from '../gateway/support/stores.ts'
import { leaseConsumers } from '../support/lease-consumers.ts'
import { settle, type VirtualClock, virtualClock } from '../support/virtual-clock.ts'

const dayMs = 86_400_000
const a = accountId('a')
const forever: RetentionDays = { messageRetentionDays: null, bodyRetentionDays: null }

for (const kind of presentStoreKinds) {
  describe(`the retention of messages, over ${kind}`, () => {
    it('ends at the number of days of each account, and else at those of the configuration', async () => {
      await using world = await openWorld(kind, { ...forever, messageRetentionDays: 4 })
      const days: Readonly<Record<string, Partial<RetentionDays>>> = {
        a: { messageRetentionDays: 2 },
        b: { bodyRetentionDays: 1 },
        c: {},
        d: { messageRetentionDays: 3, bodyRetentionDays: 1 },
      }
      for (const [id, own] of Object.entries(days)) {
        await world.addAccount(id, own)
        await world.add(accountId(id), 'm', 'DELIVERED')
      }
      await world.add(defaultAccount, 'm', 'FAILED')

      const seen: Record<number, string> = {}
      for (const day of [1, 2, 3, 4]) {
        for (const extraMs of [0, 1]) {
          world.clock.jump(world.began + day * dayMs + extraMs - world.clock.now())
          await world.retain()
          seen[day + extraMs / 10] = await world.state('m')
        }
      }

      assert.deepEqual(seen, {
        1: 'a=body b=body c=body d=body account_default=body',
        1.1: 'a=body b=erased c=body d=erased account_default=body',
        2: 'a=body b=erased c=body d=erased account_default=body',
        2.1: 'a=gone b=erased c=body d=erased account_default=body',
        3: 'a=gone b=erased c=body d=erased account_default=body',
        3.1: 'a=gone b=erased c=body d=gone account_default=body',
        4: 'a=gone b=erased c=body d=gone account_default=body',
        4.1: 'a=gone b=gone c=gone d=gone account_default=gone',
      })
    })

    it('keeps all of a message but its body, and says when that was erased', async () => {
      await using world = await openWorld(kind, { ...forever, bodyRetentionDays: 1 })
      await world.add(a, 'm', 'DELIVERED')
      const before = await world.message(a, 'm')
      world.clock.jump(dayMs + 1)

      await world.retain()
      const erased = await world.message(a, 'm')
      world.clock.jump(dayMs)
      await world.retain()

      const at = timestamp(world.began + dayMs + 1)
      assert.deepEqual(erased, { ...before, body: '', bodyErasedAt: at, updatedAt: at })
      assert.deepEqual(await world.message(a, 'm'), erased)
    })

    it('erases a body without a step back of the time of the last change', async () => {
      await using world = await openWorld(kind, { ...forever, bodyRetentionDays: 1 })
      await world.add(a, 'm', 'DELIVERED', { updatedAt: world.began + 2 * dayMs })
      world.clock.jump(dayMs + 1)

      await world.retain()

      const { bodyErasedAt, updatedAt } = (await world.message(a, 'm')) ?? assert.fail()
      assert.equal(bodyErasedAt, timestamp(world.began + dayMs + 1))
      assert.equal(updatedAt, timestamp(world.began + 2 * dayMs))
    })

    it('waits for the end of a message, and counts from there', async () => {
      await using world = await openWorld(kind, { ...forever, messageRetentionDays: 2 })
      const statuses = [
        'SCHEDULED',
        'ACCEPTED',
        'SENT',
        'UNKNOWN',
        'CANCELLED',
        'RECEIVED',
      ] as const
      for (const status of statuses) await world.add(a, status, status)
      await world.add(a, 'late', 'DELIVERED', { endsAt: world.began + dayMs })
      world.clock.jump(2 * dayMs + 1)

      await world.retain()

      assert.deepEqual(await world.ids(a), ['ACCEPTED', 'SCHEDULED', 'SENT', 'late'])
    })

    it('erases the body of a message that ended late, a day later at most', async () => {
      await using world = await openWorld(kind, { ...forever, bodyRetentionDays: 1 })
      await world.add(a, 'm', 'SENT')
      for (const _ of [1, 2, 3]) {
        world.clock.jump(dayMs / 2)
        await world.retain()
      }
      const waiting = await world.message(a, 'm')
      await world.add(a, 'm', 'DELIVERED', { endsAt: world.began + dayMs })
      await world.clock.advance(dayMs)

      await world.retain()

      assert.equal(waiting?.bodyErasedAt, null)
      assert.notEqual((await world.message(a, 'm'))?.bodyErasedAt, null)
    })

    it('waits until all webhooks have its notifications, or have lost them', async () => {
      await using world = await openWorld(kind, { ...forever, messageRetentionDays: 1 })
      await world.addWebhook(a, 'w')
      await world.add(a, 'm', 'DELIVERED')
      await world.add(accountId('b'), 'm', 'DELIVERED')
      world.clock.jump(dayMs + 1)
      await world.retain()
      const waiting = [await world.ids(a), await world.ids(accountId('b'))]

      await world.acknowledge(a, 'w')
      await world.retain()

      assert.deepEqual(waiting, [['m'], []])
      assert.deepEqual(await world.ids(a), [])
    })

    it('takes all that is due, slice by slice', async () => {
      await using world = await openWorld(kind, { ...forever, messageRetentionDays: 1 })
      const ids = Array.from({ length: 450 }, (_, index) => `m${String(index).padStart(3, '0')}`)
      await world.add(a, ids, 'DELIVERED')
      world.clock.jump(dayMs + 1)
      await world.add(a, 'young', 'DELIVERED', { endsAt: world.clock.now() })

      await world.retain()

      assert.deepEqual(await world.ids(a), ['young'])
      assert.deepEqual(world.retained, [200, 200, 50])
    })
  })
}

interface World extends AsyncDisposable {
  readonly clock: VirtualClock
  readonly began: number
  /** The numbers of messages, slice by slice. */
  readonly retained: readonly number[]
  retain(): Promise<void>
  addAccount(id: string, own: Partial<RetentionDays>): Promise<void>
  addWebhook(account: AccountId, id: string): Promise<void>
  acknowledge(account: AccountId, id: string): Promise<void>
  add(
    account: AccountId,
    id: string | readonly string[],
    status: StatusType,
    times?: { readonly endsAt?: number; readonly updatedAt?: number },
  ): Promise<void>
  message(account: AccountId, id: string): Promise<Message | null>
  ids(account: AccountId): Promise<readonly string[]>
  state(id: string): Promise<string>
}

async function openWorld(kind: StoreKind, retentionDays: RetentionDays): Promise<World> {
  const store = await openStore(kind, [accounts, messages, webhooks])
  const clock = virtualClock()
  const began = clock.now()
  const retained: number[] = []
  const retention = messageRetention({
    store,
    clock,
    retentionDays,
    onRetained: (_, count) => retained.push(count),
  })
  const known: AccountId[] = []
  for (const id of ['a', 'b']) await addAccount(store, id, {})
  const message = async (account: AccountId, id: string): Promise<Message | null> => {
    const stored = await store.read(account, (reader) => reader.find(messages, { id }))
    return stored === null ? null : JSON.parse(stored.doc)
  }

  return {
    clock,
    began,
    retained,
    retain: async () => {
      let isOver = false
      const running = retention.run(async () => true, new AbortController().signal)
      const over = running.finally(() => (isOver = true))
      // Time passes only in pauses between slices.
      while (!isOver) await (clock.waiting() > 0 ? clock.advance(slicePauseMs) : settle(1))
      await over
    },
    addAccount: (id, own) => addAccount(store, id, own),
    addWebhook: (account, id) =>
      store.transact(async (transaction) => {
        const webhook = { id, url: 'https://w.test/', active: true, createdAt: timestamp(began) }
        await transaction.in(account).save(webhooks, { id }, webhook, null)
        await transaction.consumers.put(account, id, progressText(initialProgress))
      }),
    acknowledge: async (account, id) => {
      const position = await store.log.end(account)
      await store.transact(async (transaction) => {
        const [leased] = await leaseConsumers(transaction, 'node', 0, Number.MAX_SAFE_INTEGER)
        assert.equal(leased?.webhookId, id)
        assert.equal(leased.account, account)
        await transaction.consumers.advance({ ...leased, position })
      })
    },
    add: async (account, id, type, { endsAt = clock.now(), updatedAt = endsAt } = {}) => {
      if (!known.includes(account)) known.push(account)
      const at = timestamp(endsAt)
      await store.transact(async (transaction) => {
        const writer = transaction.in(account)
        for (const one of [id].flat()) {
          const { createdAt = timestamp(clock.now()) } = (await message(account, one)) ?? {}
          const status = { id: `${type}.null`, type }
          const instance = {
            ...sample,
            id: one,
            status,
            history: [{ status: status.id, date: at }],
          }
          const times = { createdAt, updatedAt: timestamp(updatedAt) }
          await writer.save(messages, { id: one }, { ...instance, ...times }, null)
          const record = JSON.stringify({ id: one })
          await writer.notify({ type: 'SENT', status: type, messageId: one, at: endsAt, record })
        }
      })
    },
    message,
    ids: (account) => idsIn(store, account),
    state: async (id) => {
      const states = known.map(async (account) => {
        const found = await message(account, id)
        if (found === null) return `${account}=gone`
        return `${account}=${found.body === '' ? 'erased' : 'body'}`
      })
      return (await Promise.all(states)).join(' ')
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

async function addAccount(store: Store, id: string, own: Partial<RetentionDays>): Promise<void> {
  await store.transact(async (transaction) => {
    const account = { id, name: id, active: true, ...forever, ...own, createdAt: timestamp(0) }
    await transaction.in(defaultAccount).save(accounts, { id }, account, null)
  })
}

async function idsIn(store: Store, account: AccountId): Promise<readonly string[]> {
  const sort = [{ path: ['id'], direction: 'asc' }] as const
  const query = { conditions: [], searchTerms: [], sort, start: { offset: 0 }, limit: 1000 }
  const found = await store.read(account, (reader) => reader.list(messages, null, query))
  return found.map(({ id }) => id)
}

const sample = { type: 'SENT', from: '1', to: '2', body: 'a text', bodyErasedAt: null } as const
