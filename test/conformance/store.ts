import { describe } from 'node:test'
import type { Collection } from '../../src/core/declaration/collection.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { keepsAccountsApart } from './store-accounts.ts'
import { coordinatesNodes } from './store-coordination.ts'
import { leasesConsumers } from './store-consumers.ts'
import { keepsInstances } from './store-instances.ts'
import { ordersTheLog } from './store-log-order.ts'
import { keepsTheLog } from './store-log.ts'
import { answersQueries } from './store-queries.ts'
import { correlatesReceipts } from './store-receipts.ts'
import { keepsSharedIdsApart } from './store-shared-ids.ts'
import { queuesSubmissions } from './store-submissions.ts'
import { keepsCounters } from './store-counters.ts'
import { runsTransactions } from './store-transactions.ts'

/** Opens an empty store that has these collections. Disposing of it leaves nothing behind. */
export type OpenStore = (collections: readonly Collection[]) => Promise<Store>

/** What is particular to a store. */
interface ConformOptions {
  /** Why it cannot be tested here. */
  readonly skip?: string | false
  /** Why works do not run strictly one after the other; what they do to each other is the same. */
  readonly sideBySide?: string | false
  /** How many transactions are started together to change one row: each costs a round trip to a server. */
  readonly crowd?: number
}

/** What every store must do. */
export function conforms(
  name: string,
  open: OpenStore,
  { skip = false, sideBySide = false, crowd = 100 }: ConformOptions = {},
): void {
  describe(`the ${name} store`, { skip }, () => {
    keepsInstances(open)
    answersQueries(open)
    keepsAccountsApart(open)
    keepsSharedIdsApart(open)
    runsTransactions(open, sideBySide, crowd)
    queuesSubmissions(open)
    correlatesReceipts(open)
    keepsTheLog(open)
    ordersTheLog(open)
    leasesConsumers(open)
    coordinatesNodes(open)
    keepsCounters(open)
  })
}
