import type { AccountId } from '../../../core/account.ts'
import type { CreditMove } from '../../../core/ports/credits.ts'
import { cellOf } from '../../cell.ts'
import type { SqlConnection } from '../connection.ts'
import { inSets } from '../lists/in-sets.ts'
import { numberIn } from '../rows/row.ts'
import type { Work } from '../work.ts'

/** The credits of an account, in millionths; null where they are not counted. */
export async function findCredits(
  connection: SqlConnection,
  account: AccountId,
): Promise<number | null> {
  const row = await connection.first(find, [cellOf(account), account])
  return row === undefined ? null : numberIn(row[0])
}

/** Starts or stops the counting of an account's credits. */
export async function countCredits(
  connection: SqlConnection,
  account: AccountId,
  counted: boolean,
): Promise<void> {
  await connection.run(counted ? begin : end, [cellOf(account), account])
}

/**
 * Moves credits of an account. Where others write at the same time its row is held until the end, and
 * written then, once for all that is moved in a transaction. Where they are not counted nothing but
 * that is read.
 */
export async function moveCredits(
  { connection, dialect, moves }: Work,
  account: AccountId,
  micros: number,
): Promise<CreditMove> {
  const row = await connection.first(`${find}${dialect.forUpdate}`, [cellOf(account), account])
  if (row === undefined) return { kind: 'UNCOUNTED' }
  const before = numberIn(row[0]) + moves.of(account)
  const balance = before + micros
  if (balance < 0) return { kind: 'SHORT', balance: before }
  if (dialect.forUpdate !== '') moves.add(account, micros)
  else await connection.run(move, [micros, cellOf(account), account])
  return { kind: 'MOVED', balance }
}

const find = `${inSets} select micros from credits where cell = ? and account = ?`
const move = 'update credits set micros = micros + ? where cell = ? and account = ?'
const begin = `
  insert into credits (cell, account, micros) values (?, ?, 0)
  on conflict (cell, account) do nothing`
const end = 'delete from credits where cell = ? and account = ?'
