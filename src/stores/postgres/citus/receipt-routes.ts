import type { AccountId } from '../../../core/account.ts'
import type { ReceiptRoutes } from '../../../core/ports/receipts.ts'
import type { Shard } from '../../../core/shard.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { accountOfRoute, routeCell, writeRoute } from '../../sql/queues/receipt-routes.ts'
import { coalesced } from '../commits/coalesced.ts'
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
  const lookupOn = lookups(loops)
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
      lookupOn(layout().shardOfCell(routeCell({ carrier, carrierMessageId })))(
        JSON.stringify([carrier, carrierMessageId]),
      ),
  }
}

/** Combines concurrent lookups of one server, since another may be away. */
function lookups(
  reads: Transactions,
): (shard: Shard) => (part: string) => Promise<AccountId | null> {
  const known = new Map<Shard, (part: string) => Promise<AccountId | null>>()
  return (shard) => {
    const found =
      known.get(shard) ??
      coalesced((parts) =>
        reads.ask((connection) =>
          Promise.all(
            parts.map((part) => {
              const [carrier, id]: readonly string[] = JSON.parse(part)
              return accountOfRoute(connection, carrier ?? '', id ?? '')
            }),
          ),
        ),
      )
    known.set(shard, found)
    return found
  }
}
