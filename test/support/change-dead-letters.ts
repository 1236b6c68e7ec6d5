import assert from 'node:assert/strict'
import type { AccountId } from '../../src/core/account.ts'
import type { DeadLetterChange } from '../../src/core/ports/consumers.ts'
import type { Transaction } from '../../src/core/ports/store.ts'
import { leaseConsumers } from './lease-consumers.ts'

/** Changes the dead letters of a webhook, which nobody serves afterwards. */
export async function changeDeadLetters(
  transaction: Pick<Transaction, 'consumers' | 'everywhere'>,
  account: AccountId,
  webhookId: string,
  change: DeadLetterChange,
): Promise<void> {
  const { consumers, everywhere } = transaction
  const known = await everywhere.findConsumer(account, webhookId)
  await consumers.put(account, webhookId, known?.progress ?? '{}')
  const leased = await leaseConsumers(transaction, 'test', 0, 1)
  const own = leased.find((one) => one.account === account && one.webhookId === webhookId)
  assert.equal(await consumers.advance(own ?? assert.fail(), change), true)
  await consumers.release('test')
}
