import { type AccountId, accountId } from '../../../core/account.ts'
import type { Instant } from '../../../core/ports/clock.ts'
import { rememberedMs } from '../../../core/ports/counters.ts'
import { cellOf } from '../../cell.ts'
import type { SqlConnection } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import { textIn } from '../rows/row.ts'
import type { Session } from '../session.ts'

/** Rows that are removed with each that is written: more than are added. */
const removedAtOnce = 4

/** Time for which a row is not written again, in milliseconds: busy senders would be written constantly. */
const precisionMs = 3_600_000

/** Remembers that an account sends from an address, and forgets a few expired rows. */
export async function rememberSender(
  { connection, dialect }: Pick<Session, 'connection' | 'dialect'>,
  account: AccountId,
  address: string,
  at: Instant,
): Promise<void> {
  const row = [cellOf(address), address, account, at]
  if ((await connection.run(remember, [...row, precisionMs])) === 0) return
  await connection.run(removeExpired(dialect), [earliest(at), removedAtOnce])
}

/** Returns the accounts that sent from an address within seven days. */
export async function sendersFrom(
  connection: SqlConnection,
  address: string,
  at: Instant,
  limit: number,
): Promise<readonly AccountId[]> {
  const rows = await connection.all(find, [cellOf(address), address, earliest(at), limit])
  return rows.map(([account]) => accountId(textIn(account)))
}

function earliest(at: Instant): Instant {
  return at - rememberedMs - precisionMs
}

const remember = `
  insert into senders (cell, address, account, sent_at) values (?, ?, ?, ?)
  on conflict (cell, address, account) do update set sent_at = excluded.sent_at
  where senders.sent_at <= excluded.sent_at - ?`
const find = `
  select account from senders where cell = ? and address = ? and sent_at >= ?
  order by account limit ?`
const removeExpired = ({ skipLocked }: Dialect): string => `
  delete from senders where (cell, address, account) in
    (select cell, address, account from senders where sent_at < ? order by sent_at limit ? ${skipLocked})`
