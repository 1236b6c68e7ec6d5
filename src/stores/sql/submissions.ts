import { type AccountId, accountId } from '../../core/account.ts'
import type { Instant } from '../../core/clock.ts'
import type { Submissions } from '../../core/submissions.ts'
import type { Connection, Row } from './connection.ts'
import { numberIn, numberOrNullIn, textIn } from './row.ts'
import type { Session } from './session.ts'

/** The queue of submissions in a table. A row that is uncertain is claimed, or was when its process died. */
export function sqlSubmissions({ connection, dialect }: Session): Submissions {
  const claim = async (until: Instant, now: Instant, limit: number): Promise<readonly Row[]> => {
    if (dialect.claim !== null) return connection.all(dialect.claim, [now, limit, until])
    const rows = await connection.all(due, [now, limit])
    if (rows.length > 0) await connection.run(take, [until, now, limit])
    return rows
  }

  return {
    claim: async (now, until, limit) => {
      const rows = await claim(until, now, limit)
      return rows.map(([account, message, attempt, uncertain]) => ({
        account: accountId(textIn(account)),
        messageId: textIn(message),
        attempt: numberIn(attempt),
        uncertain: numberIn(uncertain) === 1,
      }))
    },
    finish: async (account, messageId) => {
      await connection.run(finish, [account, messageId])
    },
    postpone: async (account, messageId, dueAt) => {
      await connection.run(postpone, [dueAt, account, messageId])
    },
    nextDueAt: async () => {
      const row = await connection.first(next, [])
      return row === undefined ? null : numberOrNullIn(row[0])
    },
  }
}

/** Makes a message of an account due; again changes the time alone. */
export async function submit(
  connection: Connection,
  account: AccountId,
  messageId: string,
  dueAt: Instant,
): Promise<void> {
  await connection.run(insert, [account, messageId, dueAt])
}

/** Takes a message out unless it is, or was, being handed over. */
export async function withdraw(
  connection: Connection,
  account: AccountId,
  messageId: string,
): Promise<boolean> {
  return (await connection.run(remove, [account, messageId])) > 0
}

const oldest = 'from submissions where due_at <= ? order by due_at, account, message limit ?'
const due = `select account, message, attempt, uncertain ${oldest}`
const take = `
  update submissions set due_at = ?, attempt = attempt + 1, uncertain = 1
  where (account, message) in (select account, message ${oldest})`
const finish = 'delete from submissions where account = ? and message = ?'
const postpone =
  'update submissions set due_at = ?, uncertain = 0 where account = ? and message = ?'
const next = 'select min(due_at) from submissions'
const insert = `
  insert into submissions (account, message, due_at, attempt, uncertain) values (?, ?, ?, 0, 0)
  on conflict (account, message) do update set due_at = excluded.due_at`
const remove = 'delete from submissions where account = ? and message = ? and uncertain = 0'
