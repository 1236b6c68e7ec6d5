import type { AccountId } from '../../../core/account.ts'
import { idempotentResponses } from '../../../core/declaration/idempotent-responses.ts'
import type { Usage, UsageKind } from '../../../core/ports/counters.ts'
import { cellOf } from '../../cell.ts'
import type { SqlConnection } from '../connection.ts'
import { numberIn, textIn } from '../rows/row.ts'
import { tableNamesOf } from '../tables/table.ts'

/** Measures a part of what an account uses: `rows` rows after a row. */
export async function usage(
  connection: SqlConnection,
  account: AccountId,
  kind: UsageKind,
  after: string,
  rows: number,
): Promise<Usage> {
  const found = await connection.all(parts[kind], [cellOf(account), account, after, rows])
  const last = found.at(-1)
  const used = found.reduce((sum, [amount]) => sum + numberIn(amount ?? 0), 0)
  const next = last === undefined || found.length < rows ? null : textIn(last[1])
  return { used, next }
}

const responses = tableNamesOf(idempotentResponses).sql

const parts: Readonly<Record<UsageKind, string>> = {
  submissions: `select 1, message from submissions
    where cell = ? and account = ? and message > ? order by message limit ?`,
  idempotentResponses: `select octet_length(doc), id from ${responses}
    where cell = ? and account = ? and id > ? order by id limit ?`,
}
