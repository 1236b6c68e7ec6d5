import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accounts } from '../../src/collections/accounts.ts'
import { builtIn } from '../../src/collections/built-in.ts'
import { type Statistic, statistics } from '../../src/collections/derived/statistics.ts'
import { accountId, type AccountId, defaultAccount } from '../../src/core/account.ts'
import type { NewNotification } from '../../src/core/ports/notification-log.ts'
import { type Store, where } from '../../src/core/ports/store.ts'
import { timestamp } from '../../src/core/timestamp.ts'
import { countAccount, startStatistics } from '../../src/delivery/statistics.ts'
import { trimExpired } from '../../src/delivery/retention/trim.ts'
import { openStore, presentStoreKinds } from '../gateway/support/stores.ts'
import { memoryStore } from '../oracle/memory-store.ts'
import { virtualClock, type VirtualClock } from '../support/virtual-clock.ts'

const owners = ['ours', 'theirs_70', 'account_a', 'account_b'].map(accountId)
const dayMs = 24 * 3_600_000
const never = new AbortController().signal

for (const kind of presentStoreKinds) {
  describe(`statistics over ${kind}`, () => {
    it('count each status by minute and by hour, for each account and carrier', async () => {
      const clock = virtualClock()
      await using store = await openStore(kind, builtIn)
      const at = clock.now()
      for (const account of owners) {
        await notify(store, account, [
          sent('ACCEPTED', at + 1000),
          sent('SENT', at + 1500, { carrier: 'a', parts: 2, credits: 0.1 }),
          sent('SENT', at + 59_999, { carrier: 'a', parts: 1, credits: 0.2 }),
          sent('SENT', at + 60_000, { carrier: 'a' }),
          sent('SENT', at + 60_000, { carrier: 'b' }),
          { ...sent('RECEIVED', at), type: 'RECEIVED' },
          { ...sent('w', at), type: 'WEBHOOK_DISABLED' },
        ])
      }

      for (const account of owners) await countAccount(store, clock, account, never)

      for (const account of owners) {
        assert.deepEqual(await counted(store, account), [
          'HOUR 00:00 ACCEPTED - 1 1 1',
          'HOUR 00:00 RECEIVED - 1 1 1',
          'HOUR 00:00 SENT a 3 4 1.3',
          'HOUR 00:00 SENT b 1 1 1',
          'MINUTE 00:00 ACCEPTED - 1 1 1',
          'MINUTE 00:00 RECEIVED - 1 1 1',
          'MINUTE 00:00 SENT a 2 3 0.3',
          'MINUTE 00:01 SENT a 1 1 1',
          'MINUTE 00:01 SENT b 1 1 1',
        ])
      }
    })

    it('count each entry once, whoever counts and however often', async () => {
      const clock = virtualClock()
      await using store = await openStore(kind, builtIn)
      const [account = defaultAccount] = owners
      await notify(store, account, [sent('SENT', clock.now()), sent('SENT', clock.now())])

      const count = () => countAccount(store, clock, account, never)
      await Promise.all([count(), count(), count()])
      await notify(store, account, [sent('SENT', clock.now())])
      await Promise.all([count(), count()])

      assert.deepEqual(await counted(store, account), [
        'HOUR 00:00 SENT - 3 3 3',
        'MINUTE 00:00 SENT - 3 3 3',
      ])
    })

    it('keep minutes for seven days and hours for 400', async () => {
      const clock = virtualClock()
      await using store = await openStore(kind, builtIn)
      for (const account of owners) {
        await save(store, account)
        await notify(store, account, [sent('SENT', clock.now())])
        await countAccount(store, clock, account, never)
      }
      const kept = async (ms: number): Promise<readonly (readonly string[])[]> => {
        await clock.advance(ms)
        await trimExpired({ store, clock, auditKeptMs: 0 }, never)
        return Promise.all(owners.map((account) => counted(store, account)))
      }

      const [hour, minute] = ['HOUR 00:00 SENT - 1 1 1', 'MINUTE 00:00 SENT - 1 1 1']
      const each = (rows: readonly string[]) => owners.map(() => rows)
      assert.deepEqual(await kept(7 * dayMs - 1), each([hour, minute]))
      assert.deepEqual(await kept(1), each([hour]))
      assert.deepEqual(await kept(393 * dayMs - 1), each([hour]))
      assert.deepEqual(await kept(1), each([]))
    })
  })
}

describe('the statistics worker', () => {
  it('counts what came before its start, and then within five seconds', async () => {
    const clock = virtualClock()
    await using store = memoryStore(builtIn)
    for (const account of owners) await save(store, account)
    for (const account of owners) await notify(store, account, [sent('SENT', clock.now())])

    await using worker = startStatistics({ store, clock, owner: null, onFault })
    await clock.advance(0)
    const first = await counted(store, accountId('account_b'))
    for (const account of owners) await notify(store, account, [sent('SENT', clock.now())])
    await clock.advance(5000)

    assert.deepEqual(first, ['HOUR 00:00 SENT - 1 1 1', 'MINUTE 00:00 SENT - 1 1 1'])
    for (const account of owners) {
      const rows = await counted(store, account)
      assert.deepEqual(rows, ['HOUR 00:00 SENT - 2 2 2', 'MINUTE 00:00 SENT - 2 2 2'])
    }
    await end(clock, worker)
  })

  it('counts on one node at a time, and on another when that one is gone', async () => {
    const clock = virtualClock()
    await using opened = memoryStore(builtIn)
    const [account = defaultAccount] = owners
    await save(opened, account)
    const reads = { one: 0, other: 0 }
    const [one, other] = (['one', 'other'] as const).map((owner) =>
      startStatistics({
        store: counting(opened, () => (reads[owner] += 1)),
        clock,
        owner,
        onFault,
      }),
    )
    await clock.advance(2000)
    await notify(opened, account, [sent('SENT', clock.now())])
    await clock.advance(4000)
    const before = { ...reads }
    await end(clock, one)
    await notify(opened, account, [sent('SENT', clock.now())])
    await clock.advance(4000)

    assert.equal(before.other, 0)
    assert.ok(before.one > 0 && reads.other > 0)
    assert.deepEqual(await counted(opened, account), [
      'HOUR 00:00 SENT - 2 2 2',
      'MINUTE 00:00 SENT - 2 2 2',
    ])
    await end(clock, other)
  })

  it('retries an account that could not be counted, and counts the others', async () => {
    const clock = virtualClock()
    await using opened = memoryStore(builtIn)
    for (const account of owners) await save(opened, account)
    let isBroken = true
    const broken: Store = {
      ...opened,
      log: {
        ...opened.log,
        sum: async (account, ...rest) => {
          if (isBroken && account === 'ours') throw new Error('cut off')
          return opened.log.sum(account, ...rest)
        },
      },
    }
    const faults: unknown[] = []
    const worker = startStatistics({
      store: broken,
      clock,
      owner: null,
      onFault: (error) => faults.push(error),
    })
    for (const account of owners) await notify(opened, account, [sent('SENT', clock.now())])
    await clock.advance(2000)
    const during = await Promise.all(owners.map((account) => counted(opened, account)))
    isBroken = false
    await clock.advance(2000)

    assert.deepEqual(
      during.map(({ length }) => length),
      [0, 2, 2, 2],
    )
    assert.ok(faults.length > 0)
    assert.equal((await counted(opened, accountId('ours'))).length, 2)
    await end(clock, worker)
  })
})

function onFault(error: unknown): void {
  assert.fail(String(error))
}

function counting(store: Store, note: () => void): Store {
  const sum: Store['log']['sum'] = (...asked) => {
    note()
    return store.log.sum(...asked)
  }
  return { ...store, log: { ...store.log, sum } }
}

async function end(clock: VirtualClock, worker: AsyncDisposable | undefined): Promise<void> {
  const ended = worker?.[Symbol.asyncDispose]()
  await clock.advance(0)
  await ended
}

interface Sent {
  readonly carrier?: string
  readonly parts?: number
  readonly credits?: number
}

function sent(status: string, at: number, { carrier, parts = 1, credits = 1 }: Sent = {}) {
  const sums = { parts, costMicros: credits * 1_000_000 }
  const entry = { type: 'SENT', status, messageId: 'm', at, record: '{}', ...sums }
  return carrier === undefined ? entry : { ...entry, carrier }
}

function notify(store: Store, account: AccountId, entries: readonly NewNotification[]) {
  return store.transact(async (transaction) => {
    for (const entry of entries) await transaction.in(account).notify(entry)
  })
}

async function save(store: Store, id: AccountId): Promise<void> {
  const date = timestamp(0)
  const account = { id, name: id, active: true, createdAt: date, updatedAt: date }
  await store.transact(async (transaction) => {
    await transaction.in(defaultAccount).save(accounts, { id }, account, null)
  })
}

/** The counts of an account as short texts. */
async function counted(store: Store, account: AccountId): Promise<readonly string[]> {
  const found = await store.read(account, (reader) => reader.list(statistics, null, where([], 100)))
  return found
    .map(({ doc }): Statistic => JSON.parse(doc))
    .map((one) => {
      assert.equal(one.account, account)
      const { resolution, date, status, carrier, messages, parts, credits } = one
      return [
        resolution,
        date.slice(11, 16),
        status,
        carrier ?? '-',
        messages,
        parts,
        credits,
      ].join(' ')
    })
    .toSorted()
}
