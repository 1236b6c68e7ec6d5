import type { ReceiptRoutes } from '../../../core/ports/receipts.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { accountOfRoute, routeCell, writeRoute } from '../../sql/queues/receipt-routes.ts'
import type { Transactions } from '../connection/transactions.ts'
import type { CellLayout } from './layout.ts'

/** Dependencies of the directory. */
interface RouteParts {
  readonly writes: Transactions
  readonly loops: Transactions
  readonly layout: () => CellLayout
}

/** The directory of a distributed store. Each server commits its routes by itself. */
export function receiptRoutes({ writes, loops, layout }: RouteParts): ReceiptRoutes {
  return {
    remember: async (parts) => {
      const byShard = Map.groupBy(parts, (part) => layout().shardOfCell(routeCell(part)))
      await Promise.all(
        [...byShard].map(async ([shard, own]) => {
          try {
            await writes.writeTogether(
              (connection) => Promise.all(own.map((part) => writeRoute(connection, part, false))),
              shard,
            )
          } catch (error) {
            // Its server is away: that must not delay accounts of others.
            if (!(error instanceof StoreUnavailable)) throw error
            await writes.write((connection) =>
              Promise.all(own.map((part) => writeRoute(connection, part, true))),
            )
          }
        }),
      )
    },
    accountOf: (carrier, carrierMessageId) =>
      loops.read((connection) => accountOfRoute(connection, carrier, carrierMessageId)),
  }
}
