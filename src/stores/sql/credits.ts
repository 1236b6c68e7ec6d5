import { everyAccount, type AccountId } from '../../core/account.ts'
import type { CreditMove } from '../../core/credits.ts'
import type { Connection } from './connection.ts'
import { numberIn } from './row.ts'

/** The credits of an account, in millionths; null where they are not counted. */
export async function findCredits(
  connection: Connection,
  account: AccountId,
): Promise<number | null> {
  const row = await connection.within(everyAccount).first(find, [account])
  return row === undefined ? null : numberIn(row[0])
}

/** Begins to count the credits of an account, or counts them no more. */
export async function countCredits(
  connection: Connection,
  account: AccountId,
  counted: boolean,
): Promise<void> {
  await connection.run(counted ? begin : end, [account])
}

/**
 * Moves credits of an account. The statement itself holds the condition: it waits for whoever moves
 * them at the same time, and then sees what is left. Where they are not counted nothing but that is read.
 */
export async function moveCredits(
  connection: Connection,
  account: AccountId,
  micros: number,
): Promise<CreditMove> {
  if ((await connection.first(find, [account])) === undefined) return { kind: 'UNCOUNTED' }
  // Asked together, so that what is left takes no round trip of its own while others wait.
  const [moved, left] = await Promise.all([
    connection.run(move, [micros, account, micros]),
    connection.first(find, [account]),
  ])
  if (left === undefined) return { kind: 'UNCOUNTED' }
  return { kind: moved > 0 ? 'MOVED' : 'SHORT', balance: numberIn(left[0]) }
}

const find = 'select micros from credits where account = ?'
const move = 'update credits set micros = micros + ? where account = ? and micros + ? >= 0'
const begin = 'insert into credits (account, micros) values (?, 0) on conflict (account) do nothing'
const end = 'delete from credits where account = ?'
