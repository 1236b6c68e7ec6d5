import { defaultAccount, type AccountId } from '../../core/account.ts'
import type { Instant } from '../../core/ports/clock.ts'
import { microsPerCredit } from '../../core/ports/credits.ts'
import { where, type Reader, type Transaction } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import { creditMovements, type CreditMovement } from '../../collections/credit-movements.ts'
import { messages, type Message } from '../../collections/messages.ts'

/** So many movements are folded in one transaction: others of the account wait for it. */
const sliceMax = 200

/**
 * Folds the oldest movements of an account, those from before `before`, into one with their sum, so that
 * the sum of all stays the balance. What is reserved for a message that still waits stays as it is, and
 * all behind it, so that every balance in the ledger stays true. Tells whether there may be more to fold.
 */
export async function foldLedger(
  transaction: Transaction,
  account: AccountId,
  before: Instant,
  now: Instant,
): Promise<boolean> {
  const own = transaction.in(account)
  // Nobody moves them until this is committed.
  if ((await own.moveCredits(0)).kind === 'UNCOUNTED') return false
  const ledger = transaction.in(defaultAccount)
  const oldest = await ledger.list(creditMovements, account, where([], sliceMax))
  const old: CreditMovement[] = []
  for (const { doc } of oldest) {
    const movement = JSON.parse(doc) as CreditMovement
    if (movement.createdAt >= timestamp(before) || (await waits(movement, own))) break
    old.push(movement)
  }
  const last = old.pop()
  if (last === undefined || old.length === 0) return false

  const micros = [...old, last].reduce((sum, { amount }) => sum + inMicros(amount), 0)
  const sum = micros / microsPerCredit
  const folded: CreditMovement = {
    ...last,
    amount: sum,
    kind: 'OPENING',
    messageId: null,
    balance: sum,
    note: null,
    updatedAt: timestamp(now),
  }
  await ledger.save(creditMovements, { id: last.id, parent: account }, folded, null)
  for (const { id } of old) await ledger.remove(creditMovements, { id, parent: account })
  return old.length + 1 === sliceMax
}

/** Whether it is for a message that may still be changed, or come back. */
async function waits({ messageId }: CreditMovement, own: Reader): Promise<boolean> {
  const stored = messageId === null ? null : await own.find(messages, { id: messageId })
  if (stored === null) return false
  const { status } = JSON.parse(stored.doc) as Message
  return status.type === 'SCHEDULED' || status.type === 'ACCEPTED'
}

function inMicros(credits: number): number {
  return Math.round(credits * microsPerCredit)
}
