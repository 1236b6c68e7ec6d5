import type { AccountId } from '../../../core/account.ts'
import type { Instant } from '../../../core/ports/clock.ts'
import type { IdempotentResponse } from '../../../core/ports/store.ts'
import { cellOf } from '../../cell.ts'
import type { SqlConnection } from '../connection.ts'
import { inSets } from '../lists/in-sets.ts'
import { textIn } from './row.ts'
import type { Session } from '../session.ts'

/** With every look at most so many answers whose time is over are removed: more than are added. */
const removedAtOnce = 4

/**
 * Finds the answer kept under an idempotency key, and removes a few whose time is over. Whoever asks
 * for the same key meanwhile waits until this transaction has ended.
 */
export async function findAnswer(
  { connection, dialect: { skipLocked } }: Pick<Session, 'connection' | 'dialect'>,
  account: AccountId,
  owner: string,
  key: string,
  now: Instant,
): Promise<IdempotentResponse | null> {
  await connection.lockName(['answer', account, owner, key])
  await connection.run(removeExpired(skipLocked), [now, removedAtOnce])
  const row = await connection.first(find, [cellOf(account), account, owner, key, now])
  if (row === undefined) return null
  return { fingerprint: textIn(row[0]), answer: textIn(row[1]) }
}

/** Keeps an answer, in place of one whose time is over. */
export async function keepAnswer(
  connection: SqlConnection,
  account: AccountId,
  owner: string,
  key: string,
  { fingerprint, answer }: IdempotentResponse,
  expiresAt: Instant,
): Promise<void> {
  const place = [cellOf(account), account, owner, key]
  await connection.run(keep, [...place, fingerprint, answer, expiresAt])
}

const find = `${inSets}
  select fingerprint, response from idempotent_responses
  where cell = ? and account = ? and owner = ? and name = ? and expires_at > ?`
const keep = `${inSets}
  insert into idempotent_responses (cell, account, owner, name, fingerprint, response, expires_at)
  values (?, ?, ?, ?, ?, ?, ?)
  on conflict (cell, account, owner, name) do update set
    fingerprint = excluded.fingerprint, response = excluded.response,
    expires_at = excluded.expires_at`
const removeExpired = (skipLocked: string): string => `
  delete from idempotent_responses where (cell, account, owner, name) in
    (select cell, account, owner, name from idempotent_responses
      where expires_at <= ? order by expires_at limit ? ${skipLocked})`
