import { accountId, defaultAccount, type AccountId } from '../../core/account.ts'
import type { Clock, Instant } from '../../core/ports/clock.ts'
import type { Log } from '../../core/ports/log.ts'
import { where, type Store, type Reader, type Transaction } from '../../core/ports/store.ts'
import { accounts } from '../../collections/accounts.ts'
import { loop } from '../loop.ts'
import {
  changeCredits,
  inMicros,
  microsPerCredit,
  creditMovements,
  type CreditMovement,
} from '../../collections/credits/credit-movements.ts'
import { timestamp } from '../../core/timestamp.ts'
import { messages, type Message } from '../../collections/messages.ts'

/** The dependencies of ledger maintenance. */
export interface LedgerOptions {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
}

/** The maintenance of all accounts' ledgers. Disposing it waits for the present account. */
export interface Ledgers extends AsyncDisposable {
  start(): void
}

/** The time for which movements stay separate: 400 days, a year with some time to review it. */
export const ledgerMs = 400 * 24 * 3_600_000

/** The interval of folding old movements. */
const everyMs = 6 * 3_600_000

/** The most accounts in one read. */
const pageMax = 200

/** Creates the process that folds old movements. If several nodes run it, one does the work. */
export function ledgers({ store, clock, log }: LedgerOptions): Ledgers {
  let stopping = false

  const work = async (): Promise<null> => {
    let after: string | null = null
    do {
      const page: Page = await countedAccounts(store, after)
      for (const account of page.counted) {
        while (!stopping && (await foldOnce(account)));
      }
      after = page.last
    } while (after !== null && !stopping)
    return null
  }
  const foldOnce = (account: AccountId): Promise<boolean> => {
    const now = clock.now()
    return store.transact((transaction) => foldLedger(transaction, account, now - ledgerMs, now))
  }
  const folding = loop({ name: 'ledgers', clock, log, pollMs: everyMs, work })

  return {
    start: () => folding.wake(clock.now() + everyMs),
    [Symbol.asyncDispose]: () => {
      stopping = true
      return folding.stop()
    },
  }
}

/** A page of accounts. */
interface Page {
  /** The accounts whose credits are counted. */
  readonly counted: readonly AccountId[]
  /** The last account read, to continue after; null after the last page. */
  readonly last: string | null
}

async function countedAccounts(store: Store, after: string | null): Promise<Page> {
  const all = where([], pageMax)
  const query = after === null ? all : { ...all, start: { after: [after] } }
  const found = await store.read(defaultAccount, (reader) => reader.list(accounts, null, query))
  const counted = found.filter(
    ({ hidden }) => hidden !== null && JSON.parse(hidden).counted === true,
  )
  return {
    counted: counted.map(({ id }) => accountId(id)),
    last: found.length < pageMax ? null : (found.at(-1)?.id ?? null),
  }
}

/** The most movements folded in one transaction, for which other writes of the account wait. */
const sliceMax = 200

/**
 * Folds the oldest movements of an account, those from before `before`, into one with their sum:
 * the balance stays the same. A reservation for a message that still waits stays, with all
 * movements after it, so that every balance in the ledger stays true. Returns whether there may be
 * more to fold.
 */
export async function foldLedger(
  transaction: Transaction,
  account: AccountId,
  before: Instant,
  now: Instant,
): Promise<boolean> {
  const own = transaction.in(account)
  // Lock the credits until the commit.
  if ((await changeCredits(own, 0)) === null) return false
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

/** Returns whether a movement belongs to a message that may still be changed or refunded. */
async function waits({ messageId }: CreditMovement, own: Reader): Promise<boolean> {
  const stored = messageId === null ? null : await own.find(messages, { id: messageId })
  if (stored === null) return false
  const { status } = JSON.parse(stored.doc) as Message
  return status.type === 'SCHEDULED' || status.type === 'ACCEPTED'
}
