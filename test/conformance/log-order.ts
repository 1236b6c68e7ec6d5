import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { type AccountId } from '../../src/core/account.ts'
import type { Store, Transaction } from '../../src/core/ports/store.ts'
import { fourAccounts } from './sample-accounts.ts'
import { awkward } from './sample-collections.ts'
import { aNotification, everything } from './sample-notifications.ts'

/** Without unique fields: transactions that write those run alone. */
const [messages = assert.fail()] = awkward

const perAccount = 20

/** Throws unless one transaction stores the notifications of each account in the order of the calls. */
export async function checkOrderWithinTransaction(store: Store): Promise<void> {
  await store.transact(async (tx) => {
    const appended: Promise<void>[] = []
    for (let at = 0; at < perAccount; at += 1) {
      for (const account of fourAccounts) {
        appended.push(tx.in(account).notify(aNotification(`${at}`, { status: 'SENT' })))
        appended.push(tx.in(account).notify(aNotification(`${at}`, { status: 'DELIVERED' })))
      }
    }
    await Promise.all(appended)
  })

  const expected = Array.from({ length: perAccount }, (_, at) => [`${at} SENT`, `${at} DELIVERED`])
  for (const account of fourAccounts) {
    assert.deepEqual(await storedOrder(store, account), expected.flat(), account)
  }
}

const perAccountUnderLoad = 60

/** Throws unless the notifications of each message follow its changes while many transactions run. */
export async function checkOrderUnderLoad(store: Store): Promise<void> {
  const change =
    (account: AccountId, id: string, statuses: readonly string[]) => async (tx: Transaction) => {
      for (const status of statuses) await changeMessage(tx, account, id, status)
    }
  const runMessage = async (account: AccountId, id: string, at: number): Promise<void> => {
    const pace = at % 5 === 0 ? 'ALONE' : 'TOGETHER'
    const shard = store.shardOf(account)
    await store.transact(change(account, id, ['ACCEPTED']), pace, shard)
    await store.transact(change(account, id, ['SENT', 'DELIVERED']), pace, shard)
  }
  const ids = Array.from({ length: perAccountUnderLoad }, (_, at) => `m${at}`)

  await Promise.all(
    fourAccounts.flatMap((account) => ids.map((id, at) => runMessage(account, id, at))),
  )

  for (const account of fourAccounts) {
    const order = await storedOrder(store, account)
    for (const id of ids) {
      const own = order.filter((line) => line.startsWith(`${id} `))
      assert.deepEqual(own, [`${id} ACCEPTED`, `${id} SENT`, `${id} DELIVERED`], account)
    }
  }
}

/** Throws if a reader that follows the log from position to position misses an entry. */
export async function checkNothingSkipped(store: Store): Promise<void> {
  const isOver = { value: false }
  const writing = checkOrderUnderLoad(store).finally(() => {
    isOver.value = true
  })
  const [account = assert.fail()] = fourAccounts
  const seen: string[] = []
  let after = null
  for (;;) {
    const wasOver = isOver.value
    const entries = await store.log.read(account, after, everything, 7)
    seen.push(...entries.map(({ messageId, status }) => `${messageId} ${status}`))
    after = entries.at(-1)?.position ?? after
    if (entries.length === 0 && wasOver) break
    // A store that answers synchronously would starve the writers.
    await setImmediate()
  }
  await writing

  assert.deepEqual(seen, await storedOrder(store, account))
}

async function changeMessage(
  tx: Transaction,
  account: AccountId,
  id: string,
  status: string,
): Promise<void> {
  const writer = tx.in(account)
  await writer.find(messages, { id })
  await writer.save(messages, { id }, { id, name: status }, null)
  await writer.notify(aNotification(id, { status }))
}

async function storedOrder(store: Store, account: AccountId): Promise<readonly string[]> {
  const entries = await store.log.read(account, null, everything, 9999)
  return entries.map(({ messageId, status }) => `${messageId} ${status}`)
}
