import type { AccountId } from '../../../core/account.ts'
import type { Usage, UsageKind } from '../../../core/ports/counters.ts'
import { cellOf } from '../../cell.ts'
import type { SqlConnection, SqlValue } from '../connection.ts'
import { numberIn, textIn } from '../rows/row.ts'

/** Measures a part of what an account uses: `rows` rows after a row. */
export async function usage(
  connection: SqlConnection,
  account: AccountId,
  kind: UsageKind,
  after: string,
  rows: number,
): Promise<Usage> {
  const { sql, keys } = parts[kind]
  const from: SqlValue[] = keys === 1 ? [after] : splitKey(after)
  const found = await connection.all(sql, [cellOf(account), account, ...from, rows])
  const last = found.at(-1)
  const used = found.reduce((sum, [amount]) => sum + numberIn(amount ?? 0), 0)
  if (last === undefined || found.length < rows) return { used, next: null }
  return { used, next: last.slice(1).map(textIn).join(' ') }
}

/** An identifier has no spaces; the name of an idempotency key may. */
function splitKey(after: string): SqlValue[] {
  const at = after.indexOf(' ')
  return at === -1 ? ['', ''] : [after.slice(0, at), after.slice(at + 1)]
}

const parts = {
  submissions: {
    keys: 1,
    sql: `select 1, message from submissions
      where cell = ? and account = ? and message > ? order by message limit ?`,
  },
  idempotentResponses: {
    keys: 2,
    sql: `select octet_length(response), owner, name from idempotent_responses
      where cell = ? and account = ? and (owner, name) > (?, ?) order by owner, name limit ?`,
  },
} as const
