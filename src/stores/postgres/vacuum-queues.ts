import { numberIn, textIn } from '../sql/rows/row.ts'
import { administer, type AdministrationParts } from './administration.ts'
import type { Transactions } from './connection/transactions.ts'

/** The tables whose rows live for seconds. */
const queues = ['submissions', 'unmatched_receipts'] as const

/** Interval between looks at the queues, in milliseconds. */
const lookMs = 10_000

/** Dead rows that are worth a vacuum. */
const deadMin = 5000

/**
 * Removes dead rows of the queues every ten seconds, so that their size follows what waits in them.
 * Autovacuum looks once a minute, or later where it is busy with other databases of the server. On a
 * distributed store the coordinator has no rows, and each worker's autovacuum does it alone.
 */
export function vacuumQueues(parts: AdministrationParts): AsyncDisposable {
  const { loops } = parts
  // What an old snapshot retains: the next vacuum waits for twice as much.
  const left = new Map<string, number>()
  return administer(parts, { everyMs: lookMs, failed: 'queues not vacuumed' }, async (run) => {
    const before = await deadRows(loops)
    const due = before.filter(([name, dead]) => dead >= deadMin + 2 * (left.get(name) ?? 0))
    if (due.length === 0) return
    // Unless another node does, and without truncation, which would stop writers.
    await run(`vacuum (skip_locked, truncate false) ${due.map(([name]) => name).join()}`)
    for (const [name, dead] of await deadRows(loops)) left.set(name, dead)
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
