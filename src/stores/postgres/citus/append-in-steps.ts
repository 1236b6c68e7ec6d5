import { cellOf } from '../../cell.ts'
import type { SqlConnection } from '../../sql/connection.ts'
import { appendEntries, groupByAccount, type Notified } from '../../sql/log/notification-log.ts'
import { postgresDialect } from '../dialect.ts'

/**
 * Appends entries to the logs of their accounts where each statement must name one cell: it locks the heads in
 * their order, then reads the highest number of each account, then adds the entries.
 */
export async function appendInSteps(
  connection: SqlConnection,
  notified: readonly Notified[],
): Promise<void> {
  const locks = groupByAccount(notified).map(([account]) =>
    connection.run(lockHead, [cellOf(account), account]),
  )
  await Promise.all(locks)
  await appendEntries(connection, postgresDialect, notified)
}

/** An upsert whose condition is false locks a row that exists, and writes nothing. */
const lockHead = `
  insert into log_heads (cell, account, position) values (?, ?, 0)
  on conflict (cell, account) do update set position = log_heads.position where false`
