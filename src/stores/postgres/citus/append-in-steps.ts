import { cellOf } from '../../cell.ts'
import type { SqlConnection, SqlValue } from '../../sql/connection.ts'
import { inSets } from '../../sql/fragment.ts'
import { appendEntries, groupByAccount, type Notified } from '../../sql/log/notification-log.ts'
import { postgresDialect } from '../dialect.ts'

/**
 * Appends entries to the logs of their accounts where each statement must concern one slice: it locks the heads in
 * their order, then reads the highest number of each account, then adds the entries.
 */
export async function appendInSteps(
  connection: SqlConnection,
  notified: readonly Notified[],
): Promise<void> {
  const heads = groupByAccount(notified).map(([account]) => [cellOf(account), account])
  await Promise.all(heads.map((head) => lock(connection, head)))
  await appendEntries(connection, postgresDialect, notified)
}

/** Locks a head; the first entry of an account makes it. */
async function lock(connection: SqlConnection, head: readonly SqlValue[]): Promise<void> {
  const found = await connection.first(lockHead, head)
  if (found === undefined) await connection.run(makeHead, head)
}

const lockHead = `${inSets}
  select position from log_heads where cell = ? and account = ? for update`
/** Where another transaction has made it meanwhile, an upsert whose condition is false locks it, and writes nothing. */
const makeHead = `
  insert into log_heads (cell, account, position) values (?, ?, 0)
  on conflict (cell, account) do update set position = log_heads.position where false`
