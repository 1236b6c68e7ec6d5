import { accountId, defaultAccount, type AccountId } from '../../core/account.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { Log } from '../../core/ports/log.ts'
import { where, type Store } from '../../core/ports/store.ts'
import { accounts } from '../../collections/accounts.ts'
import { foldLedger } from './fold-ledger.ts'
import { loop } from '../submission/loop.ts'

/** What looking after ledgers needs. */
export interface LedgerOptions {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
}

/** Looks after the ledgers of all accounts. Disposing it ends after the account at hand. */
export interface Ledgers extends AsyncDisposable {
  start(): void
}

/** A movement is told apart from the others for 400 days: a year, and time to look back on it. */
export const ledgerMs = 400 * 24 * 3_600_000

/** How often old movements are looked for. */
const everyMs = 6 * 3_600_000

/** So many accounts are read at a time. */
const pageMax = 200

/** Makes what folds old movements. Where several nodes do it, the others find it done. */
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
  /** Those whose credits are counted. */
  readonly counted: readonly AccountId[]
  /** The last of them, behind which to go on; null where there are no more. */
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
