import type { Clock } from '../../core/ports/clock.ts'
import type { Log } from '../../core/ports/log.ts'
import type { Address } from './connection/address.ts'
import { connectTo } from './connection/servers.ts'
import type { Transactions } from './connection/transactions.ts'
import { repeat } from './repeat.ts'
import { takeTime, withConnection } from './schema/set-up.ts'

/** Dependencies of what nodes do for the tables of the database again and again. */
export interface AdministrationParts {
  readonly address: Address
  readonly loops: Transactions
  readonly clock: Clock
  readonly log: Log
}

/** Interval of the work in milliseconds, and the event that its failure logs: once, until the work succeeds again. */
interface AdministrationWork {
  readonly everyMs: number
  readonly failed: string
}

/**
 * Repeats work. `run` runs a statement outside a transaction, such as a vacuum, so on a connection of its own, and
 * lets it take its time.
 */
export function administer(
  { address, clock, log }: AdministrationParts,
  { everyMs, failed }: AdministrationWork,
  work: (run: (sql: string) => Promise<void>) => Promise<void>,
): AsyncDisposable {
  const run = async (sql: string): Promise<void> => {
    const config = await connectTo(address.direct, address.directServers)
    await withConnection(config, async (connection) => {
      await takeTime(connection)
      await connection.run(sql, [])
    })
  }
  let isFailing = false
  const onFault = (error: unknown): void => {
    if (!isFailing) log('warn', failed, { error })
    isFailing = true
  }
  return repeat({ clock, everyMs, onFault }, async () => {
    await work(run)
    isFailing = false
  })
}
