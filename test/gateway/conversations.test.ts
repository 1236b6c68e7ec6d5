import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { blankMessage, messages, type Message } from '../../src/collections/messages.ts'
import { accountId } from '../../src/core/account.ts'
import { idOf } from '../../src/core/id.ts'
import type { Query } from '../../src/core/declaration/query.ts'
import type { QueryLimits } from '../../src/core/ports/query-limits.ts'
import { QueryTimeout, type Store, type StoredPage, where } from '../../src/core/ports/store.ts'
import { timestamp } from '../../src/core/timestamp.ts'
import { conversationRules } from '../../src/gateway/messages/conversation-rules.ts'
import { openStore, storeKinds } from './support/stores.ts'

const account = accountId('ours')

/** One message to the desk, and later many to the shop. */
async function fill(store: Store, many: number): Promise<void> {
  await store.transact(async (transaction) => {
    for (let nth = 0; nth <= many; nth += 1) {
      const date = timestamp(nth)
      const message: Message = {
        ...blankMessage,
        id: idOf('message', nth, new Uint8Array(8)),
        from: '+1000000',
        to: nth === 0 ? '+2000000' : '+3000000',
        body: `${nth}`,
        encoding: 'TEXT',
        numberOfParts: 1,
        creditCost: 1,
        submission: { id: `s${nth}`, date },
        status: { id: 'SENT.null', type: 'SENT' },
        history: [{ status: 'SENT.null', date }],
        createdAt: date,
        updatedAt: date,
      }
      await transaction.in(account).save(messages, { id: message.id }, message, null)
    }
  })
}

/** Limits whose time is used up after two reads, and the store that counts them. */
function hasty(store: Store, mayBePartial: boolean): { limits: QueryLimits; counting: Store } {
  let reads = 0
  const { signal } = new AbortController()
  const page: Store['page'] = (account, collection, parent, query, limits) => {
    reads += 1
    return store.page(account, collection, parent, query, { ...limits, remainingMs: () => 5000 })
  }
  const remainingMs = (): number => (reads < 2 ? 5000 : 0)
  return {
    limits: { signal: () => signal, remainingMs, mayBePartial },
    counting: { ...store, page },
  }
}

const newestFirst = {
  ...where([], 10),
  sort: [{ path: ['id'], direction: 'desc' }],
} as const

for (const kind of storeKinds) {
  describe(`a page of conversations whose time is used up, over ${kind}`, () => {
    it('has what was found, and continues after the last message examined', async () => {
      await using store = await openStore(kind)
      await fill(store, 700)
      const counterparts: unknown[] = []
      let start: Query['start'] = { offset: 0 }
      for (let pages = 1; ; pages += 1) {
        const { limits, counting } = hasty(store, true)
        const query: Query = { ...newestFirst, start }
        const found: StoredPage | undefined = await conversationRules(counting).page?.(
          account,
          query,
          limits,
        )
        assert.ok(found)
        counterparts.push(...found.instances.map(({ doc }) => JSON.parse(doc).counterpart))
        if (found.examinedTo === null) {
          assert.ok(pages > 1)
          break
        }
        start = { after: found.examinedTo }
      }

      assert.deepEqual(counterparts, ['+3000000', '+2000000'])
    })

    it('is refused where it may not be partial', async () => {
      await using store = await openStore(kind)
      await fill(store, 700)
      const { limits, counting } = hasty(store, false)
      const { page = assert.fail() } = conversationRules(counting)

      await assert.rejects(page(account, newestFirst, limits), QueryTimeout)
    })

    it('is whole once it is full: nothing more is read for it', async () => {
      await using store = await openStore(kind)
      await fill(store, 700)
      const { limits, counting } = hasty(store, false)

      const found = await conversationRules(counting).page?.(
        account,
        { ...newestFirst, limit: 1 },
        limits,
      )

      assert.deepEqual([found?.instances.length, found?.examinedTo], [1, null])
    })
  })

  describe(`a page of conversations that are not found, over ${kind}`, () => {
    it('ends after 10,000 messages, or when its client leaves', async () => {
      await using store = await openStore(kind)
      await fill(store, 200)
      const { signal } = new AbortController()
      const readsUntil = async (left: number): Promise<number> => {
        let reads = 0
        // Always the messages of one conversation, as if there were no end of them.
        const page: Store['page'] = (reach, collection, parent, query, limits) => {
          reads += 1
          assert.ok(reads <= 50)
          return store.page(reach, collection, parent, { ...query, start: { offset: 0 } }, limits)
        }
        const found = await conversationRules({ ...store, page }).page?.(account, newestFirst, {
          signal: () => (reads < left ? signal : AbortSignal.abort()),
          remainingMs: () => 5000,
          mayBePartial: true,
        })
        assert.notEqual(found?.examinedTo, null)
        return reads
      }

      assert.deepEqual([await readsUntil(Infinity), await readsUntil(3)], [50, 3])
    })
  })
}
