import type { Clock } from '../../core/ports/clock.ts'
import type { Log } from '../../core/ports/log.ts'
import { numberIn, textIn } from '../sql/rows/row.ts'
import type { Address } from './connection/address.ts'
import type { Transactions } from './connection/transactions.ts'
import { connectTo } from './connection/servers.ts'
import { repeat } from './repeat.ts'
import { takeTime, withConnection } from './schema/set-up.ts'

/** The tables whose rows live for seconds. */
const queues = ['submissions', 'unmatched_receipts'] as const

/** Interval between looks at the queues, in milliseconds. */
const lookMs = 10_000

/** Dead rows that are worth a vacuum. */
const deadMin = 5000

/** Dependencies of the vacuum. */
interface VacuumParts {
  readonly address: Address
  readonly loops: Transactions
  readonly clock: Clock
  readonly log: Log
}

/**
 * Removes dead rows of the queues every ten seconds, so that their size follows what waits in them.
 * Autovacuum looks once a minute, or later where it is busy with other databases of the server. On a
 * distributed store the coordinator has no rows, and each worker's autovacuum does it alone.
 */
export function vacuumQueues({ address, loops, clock, log }: VacuumParts): AsyncDisposable {
  // What an old snapshot retains: the next vacuum waits for twice as much.
  const left = new Map<string, number>()
  let isFailing = false
  const onFault = (error: unknown): void => {
    if (!isFailing) log('warn', 'queues not vacuumed', { error })
    isFailing = true
  }
  return repeat({ clock, everyMs: lookMs, onFault }, async () => {
    const before = await deadRows(loops)
    const due = before.filter(([name, dead]) => dead >= deadMin + 2 * (left.get(name) ?? 0))
    if (due.length > 0) {
      await vacuum(
        address,
        due.map(([name]) => name),
      )
      for (const [name, dead] of await deadRows(loops)) left.set(name, dead)
    }
    isFailing = false
  })
}

function deadRows(loops: Transactions): Promise<readonly (readonly [string, number])[]> {
  return loops.read(async (connection) => {
    const rows = await connection.all(counts, [])
    return rows.map(([name, dead]) => [textIn(name), numberIn(dead)] as const)
  })
}

const counts = `
  select relname::text, n_dead_tup from pg_stat_user_tables
  where schemaname = current_schema() and relname in (${queues.map((name) => `'${name}'`).join()})`

/** Vacuums tables unless another node does: outside a transaction, so on a connection of its own. */
async function vacuum(
  { direct, directServers }: Address,
  tables: readonly string[],
): Promise<void> {
  await withConnection(await connectTo(direct, directServers), async (connection) => {
    await takeTime(connection)
    // Without truncation, which would stop writers.
    await connection.run(`vacuum (skip_locked, truncate false) ${tables.join()}`, [])
  })
}
