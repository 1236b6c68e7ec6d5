import { numberIn } from '../../sql/rows/row.ts'
import { horizon, type Horizon } from '../connection/connection.ts'
import type { Transactions } from '../connection/transactions.ts'

/** How far the log can be read now. */
export function horizonOf(transactions: Transactions): Promise<Horizon> {
  return transactions.read(async (connection) => {
    const [settled, next] = (await connection.first(horizon, [])) ?? []
    return { settled: numberIn(settled), next: numberIn(next) }
  })
}
