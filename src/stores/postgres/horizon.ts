import { numberIn } from '../sql/row.ts'
import { horizon, type Horizon } from './connection.ts'
import type { Transactions } from './transactions.ts'

/** How far the log can be read now. */
export function horizonOf(transactions: Transactions): Promise<Horizon> {
  return transactions.read(async (connection) => {
    const [settled, next] = (await connection.first(horizon, [])) ?? []
    return { settled: numberIn(settled), next: numberIn(next) }
  })
}
