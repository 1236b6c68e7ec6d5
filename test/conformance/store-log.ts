import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AccountId } from '../../src/core/account.ts'
import {
  type LogFilter,
  type LogPosition,
  type LogSearch,
  type NewNotification,
  parsePosition,
} from '../../src/core/ports/notification-log.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { changeDeadLetters } from '../support/change-dead-letters.ts'
import { fourAccounts, ours, theirs } from './sample-accounts.ts'
import { sampleCollections, webhooks } from './sample-collections.ts'
import { aNotification, everything } from './sample-notifications.ts'
import type { OpenStore } from './store.ts'
import { eraseAccount } from '../support/erase-account.ts'

/** What is sought where nothing narrows it. */
const anything: LogSearch = {
  ...everything,
  from: 0,
  until: null,
  messageIds: null,
  deadLettersOf: null,
}

/** The log only grows, and is read on from any place. */
export function keepsTheLog(open: OpenStore): void {
  describe('the notification log', () => {
    it('has the notifications of an account as they were appended, in their order', async () => {
      await using store = await open(sampleCollections)
      const first = aNotification('m1', {
        at: 5,
        record: '{"id":"m1","body":"é🚀"}',
        correlation: 'request_1 00-x',
        carrier: 'carrier_a',
      })
      const second = aNotification('m2', { at: 4 })
      await append(store, first, second)
      await store.transact((tx) => tx.in(theirs).notify(aNotification('m3')))

      const entries = await store.log.read(ours, null, everything, 10)

      assert.deepEqual(
        entries.map(({ position, ...rest }) => (assert.ok(position), rest)),
        [
          { account: ours, ...first },
          { account: ours, ...second },
        ],
      )
    })

    it('is summed up from a place, by period, status and carrier', async () => {
      await using store = await open(sampleCollections)
      const carried = { carrier: 'a', parts: 2, costMicros: 1_500_000 }
      await append(
        store,
        aNotification('m1', { at: 7, parts: 9 }),
        aNotification('m2', { ...carried, at: 61_000 }),
        aNotification('m3', { ...carried, at: 119_999 }),
        aNotification('m4', { ...carried, at: 61_000, status: 'SENT' }),
        aNotification('m5', { at: 61_000, status: 'NOT_WANTED' }),
        aNotification('m6', { at: 61_000, type: 'OTHER' }),
        aNotification('m7', { ...carried, at: 120_000 }),
      )
      await store.transact((tx) => tx.in(theirs).notify(aNotification('m8', carried)))
      const [first] = await store.log.read(ours, null, everything, 1)
      const after = first?.position ?? null
      const limits = { limit: 4, periodMs: 60_000 }

      const { sums, position } = await store.log.sum(ours, after, everything, limits)
      const rest = await store.log.sum(ours, position, everything, limits)
      const nothing = await store.log.sum(ours, rest.position, everything, limits)

      const periodBegin = 60_000
      const two = { entries: 2, parts: 4, costMicros: 3_000_000 }
      const one = { entries: 1, parts: 2, costMicros: 1_500_000 }
      const byText = (a: object, b: object): number =>
        JSON.stringify(a) < JSON.stringify(b) ? -1 : 1
      assert.deepEqual(sums.toSorted(byText), [
        { periodBegin, status: 'DELIVERED', carrier: 'a', ...two },
        { periodBegin, status: 'DELIVERED', carrier: null, entries: 1, parts: 0, costMicros: 0 },
        { periodBegin, status: 'SENT', carrier: 'a', ...one },
      ])
      assert.deepEqual(rest.sums, [
        { periodBegin: 120_000, status: 'DELIVERED', carrier: 'a', ...one },
      ])
      assert.deepEqual(nothing, { sums: [], position: null })
    })

    it('is read on from a place, a page at a time', async () => {
      await using store = await open(sampleCollections)
      await append(store, ...['m1', 'm2', 'm3'].map((id) => aNotification(id)))

      const [first, second] = await store.log.read(ours, null, everything, 2)
      const rest = await store.log.read(ours, second?.position ?? null, everything, 2)

      assert.deepEqual([first?.messageId, second?.messageId], ['m1', 'm2'])
      assert.deepEqual(messageIds(rest), ['m3'])
      assert.deepEqual(await store.log.read(ours, rest[0]?.position ?? null, everything, 2), [])
    })

    it('shows what a filter wants, and counts it', async () => {
      await using store = await open(sampleCollections)
      await append(
        store,
        aNotification('m1', { status: 'ACCEPTED' }),
        aNotification('m2', { status: 'DELIVERED' }),
        aNotification('m3', { type: 'RECEIVED', status: 'RECEIVED' }),
        aNotification('m4', { type: 'OTHER', status: 'DELIVERED' }),
      )
      const wanted = async (types: string[], statuses: string[]) => {
        const filter: LogFilter = { types, statuses }
        const entries = await store.log.read(ours, null, filter, 10)
        assert.equal(await store.log.count(ours, null, filter), entries.length)
        return messageIds(entries)
      }

      assert.deepEqual(await wanted(['SENT'], ['DELIVERED', 'FAILED']), ['m2'])
      assert.deepEqual(await wanted(['RECEIVED'], []), ['m3'])
      assert.deepEqual(await wanted(['RECEIVED', 'SENT'], ['ACCEPTED']), ['m1', 'm3'])
      assert.deepEqual(await wanted(['OTHER'], ['ACCEPTED']), ['m4'])
      assert.deepEqual(await wanted(['SENT'], []), [])
      assert.deepEqual(await wanted([], []), [])
    })

    it('leaves out alerts about the webhook that a filter names, and nothing else', async () => {
      await using store = await open(sampleCollections)
      await append(
        store,
        aNotification('a1', { type: 'WEBHOOK_DISABLED', status: 'w1' }),
        aNotification('a2', { type: 'WEBHOOK_RECOVERED', status: 'w2' }),
        aNotification('m1', { type: 'RECEIVED', status: 'w1' }),
        aNotification('m2', { type: 'SENT', status: 'w1' }),
      )
      const types = ['RECEIVED', 'SENT', 'WEBHOOK_DISABLED', 'WEBHOOK_RECOVERED']
      const wanted = async (narrowed: Partial<LogFilter>) => {
        const filter = { types, statuses: ['w1'], ...narrowed }
        const entries = await store.log.read(ours, null, filter, 10)
        assert.equal(await store.log.count(ours, null, filter), entries.length)
        return messageIds(entries)
      }

      assert.deepEqual(await wanted({}), ['a1', 'a2', 'm1', 'm2'])
      assert.deepEqual(await wanted({ notAbout: 'w1' }), ['a2', 'm1', 'm2'])
      assert.deepEqual(await wanted({ notAbout: 'w2' }), ['a1', 'm1', 'm2'])
      assert.deepEqual(await wanted({ notAbout: 'w1', types: types.slice(0, 3) }), ['m1', 'm2'])
    })

    it('counts what lies behind a place', async () => {
      await using store = await open(sampleCollections)
      await append(store, aNotification('m1'), aNotification('m2'), aNotification('m3'))
      const [first] = await store.log.read(ours, null, everything, 1)

      assert.equal(await store.log.count(ours, first?.position ?? null, everything), 2)
    })

    it('is searched by time, type, status and identifier within a stretch', async () => {
      await using store = await open(sampleCollections)
      const notifications = [1, 2, 3, 4, 5, 6].map((at) => aNotification(`m${at}`, { at }))
      await append(store, aNotification('m0', { at: 3, type: 'RECEIVED' }), ...notifications)
      await store.transact((tx) => tx.in(theirs).notify(aNotification('m3', { at: 3 })))
      const places = (await store.log.read(ours, null, everything, 9)).map((each) => each.position)
      const [after = assert.fail(), end = assert.fail()] = [places[0], places[5]]
      const found = async (narrowed: Partial<LogSearch>, limit = 9) => {
        const stretch = { account: ours, after, end }
        const { entries, position } = await store.log.search(
          stretch,
          { ...anything, ...narrowed },
          limit,
        )
        assert.equal(position, entries.length === limit ? entries.at(-1)?.position : end)
        return messageIds(entries)
      }

      assert.deepEqual(await found({}), ['m1', 'm2', 'm3', 'm4', 'm5'])
      assert.deepEqual(await found({}, 2), ['m1', 'm2'])
      assert.deepEqual(await found({ from: 3 }), ['m3', 'm4', 'm5'])
      assert.deepEqual(await found({ from: 2, until: 4 }), ['m2', 'm3'])
      assert.deepEqual(await found({ messageIds: ['m6', 'm5', 'm2'] }), ['m2', 'm5'])
      assert.deepEqual(await found({ messageIds: [] }), [])
      assert.deepEqual(await found({ types: ['RECEIVED'] }), [])
    })

    it('is searched for what was set aside for a webhook, until that is delivered', async () => {
      await using store = await open(sampleCollections)
      const names = ['m1', 'm2', 'm3', 'm4']
      await append(store, ...names.map((name) => aNotification(name)))
      const entries = await store.log.read(ours, null, everything, 9)
      const [, second = assert.fail(), third = assert.fail(), fourth = assert.fail()] = entries
      await store.transact(async (tx) => {
        await changeDeadLetters(tx, ours, 'w1', { added: [fourth, second] })
        await changeDeadLetters(tx, ours, 'w1', { added: [second] })
        await changeDeadLetters(tx, ours, 'w2', { added: [third] })
        await changeDeadLetters(tx, theirs, 'w1', { added: [third] })
      })
      const end = await store.log.end(ours)
      const found = async (deadLettersOf: string) => {
        const sought = { ...anything, deadLettersOf }
        return messageIds(
          (await store.log.search({ account: ours, after: null, end }, sought, 9)).entries,
        )
      }

      assert.deepEqual(await found('w1'), ['m2', 'm4'])
      assert.deepEqual(await found('w2'), ['m3'])
      await store.transact((tx) =>
        changeDeadLetters(tx, ours, 'w1', { removed: [second.position] }),
      )
      assert.deepEqual(await found('w1'), ['m4'])
      await store.transact((tx) => tx.in(ours).remove(webhooks, { id: 'w1' }))
      assert.deepEqual(await found('w1'), [])
      assert.deepEqual(await found('w2'), ['m3'])
      await store.transact((tx) => eraseAccount(tx, ours))
      await append(store, aNotification('m5'))
      assert.deepEqual(await found('w2'), [])
    })

    it('knows what was set aside for as long as it keeps it', async () => {
      await using store = await open(sampleCollections)
      await append(store, aNotification('m1', { at: 1 }), aNotification('m2', { at: 3 }))
      const entries = await store.log.read(ours, null, everything, 9)
      await store.transact((tx) => changeDeadLetters(tx, ours, 'w1', { added: entries }))
      await store.maintain(3, 9)

      const end = await store.log.end(ours)
      const sought = { ...anything, deadLettersOf: 'w1' }
      const { entries: found } = await store.log.search(
        { account: ours, after: null, end },
        sought,
        9,
      )

      assert.deepEqual(messageIds(found), ['m2'])
    })

    it('is searched to its end in steps', async () => {
      await using store = await open(sampleCollections)
      const at = (index: number) => (index === 11_999 ? 9 : 1)
      const names = Array.from({ length: 12_000 }, (_, index) => `m${index}`)
      await store.transact((tx) => tx.in(theirs).notify(aNotification('theirs')))
      await append(store, ...names.map((name, index) => aNotification(name, { at: at(index) })))
      const entries = await store.log.read(ours, null, everything, names.length)
      const counts = new Map(entries.map(({ position }, index) => [position, index + 1]))
      const end = await store.log.end(ours)
      const sought = { ...anything, from: 5 }

      const found: string[] = []
      const steps: number[] = []
      let after = parsePosition('0') ?? assert.fail()
      while (after !== end) {
        const searched = await store.log.search({ account: ours, after, end }, sought, 9)
        found.push(...messageIds(searched.entries))
        steps.push((counts.get(searched.position) ?? NaN) - (counts.get(after) ?? 0))
        after = searched.position
      }

      assert.deepEqual(found, ['m11999'])
      assert.ok(steps.length > 1)
      // Nothing of another account takes a place in a step, and nothing is examined twice.
      assert.equal(new Set(steps.slice(0, -1)).size, 1)
    })

    it('tells the place behind all that is committed', async () => {
      await using store = await open(sampleCollections)
      const atFirst = await store.log.end(ours)
      await append(store, aNotification('m1'))
      const end = await store.log.end(ours)
      await append(store, aNotification('m2'))

      assert.deepEqual(messageIds(await store.log.read(ours, atFirst, everything, 9)), ['m1', 'm2'])
      assert.deepEqual(messageIds(await store.log.read(ours, end, everything, 9)), ['m2'])
    })

    it('reads back a position from its text, and nothing else', async () => {
      await using store = await open(sampleCollections)
      await append(store, aNotification('m1'), aNotification('m2'))
      const [first] = await store.log.read(ours, null, everything, 1)

      const read = parsePosition(String(first?.position))

      assert.deepEqual(messageIds(await store.log.read(ours, read, everything, 9)), ['m2'])
      assert.equal(read, first?.position)
      assert.notEqual(parsePosition('0'), null)
      for (const text of ['', 'x', '-1', '1.5', '01', ' 1', '1e3', '9'.repeat(30), 'null']) {
        assert.equal(parsePosition(text), null, text)
      }
    })

    it('removes what is old from its beginning, a slice at a time', async () => {
      await using store = await open(sampleCollections)
      const notifications = [1, 2, 3, 4].map((at) => aNotification(`m${at}`, { at }))
      await append(store, ...notifications)

      assert.equal((await store.maintain(4, 2)).isMore, true)
      assert.deepEqual(messageIds(await store.log.read(ours, null, everything, 9)), ['m3', 'm4'])
      assert.equal((await store.maintain(4, 2)).isMore, false)
      assert.deepEqual(messageIds(await store.log.read(ours, null, everything, 9)), ['m4'])
    })

    it('removes what is old from the log of each account, and nothing of others', async () => {
      await using store = await open(sampleCollections)
      const old: ReadonlyMap<AccountId, number> = new Map(
        fourAccounts.map((account, at) => [account, [4, 0, 2, 3][at] ?? 0]),
      )
      const times = [1, 2, 3, 4]
      await store.transact(async (tx) => {
        for (const [account, count] of old) {
          for (const nth of times) {
            const at = nth <= count ? nth : nth + 100
            await tx.in(account).notify(aNotification(`m${nth}`, { at }))
          }
        }
      })

      while ((await store.maintain(100, 5)).isMore);

      for (const [account, count] of old) {
        const left = times.filter((nth) => nth > count).map((nth) => `m${nth}`)
        assert.deepEqual(messageIds(await store.log.read(account, null, everything, 9)), left)
      }
    })

    it('gives no place twice, even after everything was removed', async () => {
      await using store = await open(sampleCollections)
      await append(store, aNotification('m1', { at: 1 }), aNotification('m2', { at: 1 }))
      const before: LogPosition = await store.log.end(ours)
      await store.maintain(2, 10)

      const after = await store.log.end(ours)
      await append(store, aNotification('m3', { at: 3 }))

      assert.equal(after, before)
      assert.deepEqual(messageIds(await store.log.read(ours, before, everything, 9)), ['m3'])
    })
  })
}

function append(store: Store, ...notifications: readonly NewNotification[]): Promise<void> {
  return store.transact(async (tx) => {
    for (const notification of notifications) await tx.in(ours).notify(notification)
  })
}

function messageIds(entries: readonly { readonly messageId: string }[]): readonly string[] {
  return entries.map(({ messageId }) => messageId)
}
