import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accounts } from '../../src/collections/accounts.ts'
import { keys } from '../../src/collections/keys.ts'
import { accountId, defaultAccount, everyAccount } from '../../src/core/account.ts'
import { where } from '../../src/core/ports/store.ts'
import { ours, theirs } from './sample-accounts.ts'
import { aNotification, everything } from './sample-notifications.ts'
import { aPiece, aThing, pieces, sampleCollections, things } from './sample-collections.ts'
import type { OpenStore } from './store.ts'
import { eraseAccount } from '../support/erase-account.ts'

const all = where([], 1000)

/** Nothing of one account is visible to another. */
export function keepsAccountsApart(open: OpenStore): void {
  describe('accounts', () => {
    it('shows an instance to its own account only', async () => {
      await using store = await open(sampleCollections)
      await store.transact((tx) => tx.in(ours).save(things, { id: 't1' }, aThing('t1'), null))

      await store.read(theirs, async (reader) => {
        assert.equal(await reader.find(things, { id: 't1' }), null)
        assert.deepEqual(await reader.list(things, null, all), [])
        assert.equal(await reader.count(things, null, all), 0)
      })
    })

    it('lets two accounts use the same identifier', async () => {
      await using store = await open(sampleCollections)
      await store.transact(async (tx) => {
        await tx.in(ours).save(things, { id: 't1' }, aThing('t1', { name: 'ours' }), null)
        await tx.in(theirs).save(things, { id: 't1' }, aThing('t1', { name: 'theirs' }), null)
      })

      const removed = await store.transact((tx) => tx.in(theirs).remove(things, { id: 't1' }))

      const found = await store.read(ours, (reader) => reader.find(things, { id: 't1' }))
      assert.equal(removed, true)
      assert.match(found?.doc ?? '', /"name":"ours"/)
    })

    it('shows all of them to whoever reads over every account, its own first', async () => {
      await using store = await open(sampleCollections)
      await store.transact(async (tx) => {
        for (const account of [accountId('a'), ours, defaultAccount, theirs]) {
          await tx.in(account).save(things, { id: 't1' }, aThing('t1'), null)
          await tx.in(account).save(pieces, { id: 'p1', parent: 't1' }, aPiece('p1'), null)
        }
        await tx.in(theirs).save(things, { id: 't2' }, aThing('t2'), null)
      })

      await store.read(everyAccount, async (reader) => {
        for (const [id, parent] of [
          ['p2', 't1'],
          ['p1', 't2'],
        ] as const) {
          assert.equal(await reader.find(pieces, { id, parent }), null)
        }

        const found = await reader.find(things, { id: 't1' })
        const nested = await reader.find(pieces, { id: 'p1', parent: 't1' })
        const other = await reader.find(things, { id: 't2' })
        const listed = await reader.list(things, null, all)

        assert.equal(found?.account, defaultAccount)
        assert.equal(nested?.account, defaultAccount)
        assert.equal(other?.account, theirs)
        assert.deepEqual(
          listed.map(({ id, account }) => [id, account]),
          [
            ['t1', 'a'],
            ['t1', defaultAccount],
            ['t1', ours],
            ['t1', theirs],
            ['t2', theirs],
          ],
        )
        assert.equal(await reader.count(things, null, all), 5)
      })
    })

    it('shows all of them within a transaction, with what it wrote', async () => {
      await using store = await open(sampleCollections)
      await store.transact((tx) => tx.in(ours).save(things, { id: 't1' }, aThing('t1'), null))

      const [listed, found, counted] = await store.transact(async (tx) => {
        await tx.in(theirs).save(things, { id: 't2' }, aThing('t2'), null)
        return [
          await tx.everywhere.list(things, null, all),
          await tx.everywhere.find(things, { id: 't2' }),
          await tx.everywhere.count(things, null, all),
        ]
      })

      assert.deepEqual(
        listed.map(({ id, account }) => [id, account]),
        [
          ['t1', ours],
          ['t2', theirs],
        ],
      )
      assert.equal(found?.account, theirs)
      assert.equal(counted, 2)
    })

    it('erases all that belongs to an account, and nothing of another', async () => {
      await using store = await open(sampleCollections)
      const fill = async (account: typeof ours) => {
        const part = { account, carrier: 'c', carrierMessageId: account, expiresAt: 10 }
        await store.routes?.remember([part])
        await store.transact(async (tx) => {
          const writer = tx.in(account)
          await writer.save(things, { id: 't1' }, aThing('t1'), null)
          await writer.save(pieces, { id: 'p1', parent: 't1' }, aPiece('p1'), null)
          await writer.enqueue('t1', 0)
          await writer.notify(aNotification('t1'))
          await writer.sentFrom(`+1${account}`, 0)
          await tx.consumers.put(account, 'w1', '{}')
          await tx.receipts.expect(
            {
              account,
              messageId: 't1',
              part: 1,
              carrier: 'c',
              carrierMessageId: account,
              outcome: null,
            },
            50,
          )
        })
      }
      await fill(ours)
      await fill(theirs)

      await store.transact((tx) => eraseAccount(tx, ours))

      const left = (account: typeof ours) =>
        store.transact(async (tx) => ({
          thing: (await tx.in(account).find(things, { id: 't1' })) !== null,
          piece: (await tx.in(account).find(pieces, { id: 'p1', parent: 't1' })) !== null,
          sender: (await tx.everywhere.sendersFrom(`+1${account}`, 0, 2))[0] ?? null,
          consumer: (await tx.everywhere.findConsumer(account, 'w1')) !== null,
          receipt: (await tx.receipts.parts(account, 't1')).length > 0,
          log: await store.log.count(account, null, everything),
        }))
      assert.deepEqual(await left(ours), {
        thing: false,
        piece: false,
        sender: null,
        consumer: false,
        receipt: false,
        log: 0,
      })
      assert.deepEqual(await left(theirs), {
        thing: true,
        piece: true,
        sender: theirs,
        consumer: true,
        receipt: true,
        log: 1,
      })
      const due = await store.transact((tx) => tx.submissions.claim(0, 1, 10))
      assert.deepEqual(
        due.map(({ account }) => account),
        [theirs],
      )
    })

    it('finds a key by its digest over all accounts, with the account', async () => {
      await using store = await open(sampleCollections)
      await store.transact(async (tx) => {
        await tx.in(defaultAccount).save(accounts, { id: 'ours' }, { id: 'ours' }, null)
        await tx.in(ours).save(keys, { id: 'k1' }, { id: 'k1' }, { digest: 'one' })
        await tx.in(theirs).save(keys, { id: 'k1' }, { id: 'k1' }, { digest: 'two' })
      })

      const one = await store.findKey('one')
      const two = await store.findKey('two')

      assert.equal(one?.key.account, ours)
      assert.equal(one?.key.id, 'k1')
      assert.equal(one?.key.hidden, '{"digest":"one"}')
      assert.equal(one?.account?.id, 'ours')
      assert.equal(one?.account?.account, defaultAccount)
      assert.equal(two?.key.account, theirs)
      assert.equal(two?.account, null)
      assert.equal(await store.findKey('three'), null)
    })

    it('finds no key where there are none', async () => {
      await using store = await open([things])

      assert.equal(await store.findKey('one'), null)
    })

    it('remembers for seven days which accounts sent from an address', async () => {
      await using store = await open(sampleCollections)
      const dayMs = 24 * 3_600_000
      const known = (at: number, limit = 10) =>
        store.transact((tx) => tx.everywhere.sendersFrom('+1', at, limit))
      const send = (account: typeof ours, at: number) =>
        store.transact((tx) => tx.in(account).sentFrom('+1', at))

      assert.deepEqual(await known(0), [])
      await send(ours, 0)
      await send(ours, 2 * dayMs)
      assert.deepEqual(await known(2 * dayMs), [ours])
      await send(theirs, 3 * dayMs)
      assert.deepEqual(await known(8 * dayMs), [ours, theirs].toSorted())
      assert.equal((await known(8 * dayMs, 1)).length, 1)
      assert.deepEqual(await known(9 * dayMs + dayMs / 2), [theirs])
      assert.deepEqual(await known(11 * dayMs), [])
    })

    it('remembers a sender for seven days from the last message, also if many came shortly before', async () => {
      await using store = await open(sampleCollections)
      const [minuteMs, dayMs] = [60_000, 24 * 3_600_000]
      const last = 59 * minuteMs

      for (const at of [0, 20 * minuteMs, last]) {
        await store.transact((tx) => tx.in(ours).sentFrom('+1', at))
      }
      const known = await store.transact((tx) =>
        tx.everywhere.sendersFrom('+1', last + 7 * dayMs, 10),
      )

      assert.deepEqual(known, [ours])
    })
  })
}
