import type { AccountId } from '../../../core/account.ts'
import type { Counters } from '../../../core/ports/counters.ts'
import type { SqlConnection } from '../connection.ts'
import { join, parameter, plain } from '../fragment.ts'
import { numberIn, textIn } from '../rows/row.ts'
import type { Session } from '../session.ts'
import type { Tallied } from './tallied.ts'
import type { Work } from '../work.ts'

/** Begins to count under names for a subject, from 0. */
export async function beginTally(
  connection: SqlConnection,
  account: AccountId,
  subject: string,
  names: readonly string[],
): Promise<void> {
  for (const name of names) await connection.run(begin, [account, subject, name])
}

/** Ends the counting for a subject. */
export async function endTally(
  connection: SqlConnection,
  account: AccountId,
  subject: string,
): Promise<void> {
  await connection.run(end, [account, subject])
}

/** Notes a difference, which is written when the transaction ends: then nobody waits for it for long. */
export function noteTally({ tallied }: Work, difference: Tallied): void {
  tallied.push(difference)
}

/** Writes the differences that were noted, in one order for all, so that no two wait for each other. */
export async function writeTallies({ connection, tallied }: Work): Promise<void> {
  const sums = new Map<string, Tallied>()
  for (const one of tallied.splice(0)) {
    const key = `${one.account} ${one.subject} ${one.name}`
    sums.set(key, { ...one, by: one.by + (sums.get(key)?.by ?? 0) })
  }
  for (const [, { account, subject, name, by }] of [...sums].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  )) {
    if (by !== 0) await connection.within(account).run(add, [by, account, subject, name])
  }
}

/** What is counted for subjects of an account. */
export async function findTallies(
  { connection, dialect }: Session,
  account: AccountId,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, Counters>> {
  const found = new Map<string, Record<string, number>>()
  if (subjects.length === 0) return found
  const among = dialect.among(plain('subject'), subjects)
  const { sql, params } = join`${plain(find)} ${parameter(account)} and ${among}`
  for (const [subject, name, count] of await connection.all(sql, params)) {
    const counts = found.get(textIn(subject)) ?? {}
    counts[textIn(name)] = numberIn(count)
    found.set(textIn(subject), counts)
  }
  return found
}

const find = 'select subject, name, count from tallies where account ='
const begin = `
  insert into tallies (account, subject, name, count) values (?, ?, ?, 0)
  on conflict (account, subject, name) do update set count = 0`
const add = 'update tallies set count = count + ? where account = ? and subject = ? and name = ?'
const end = 'delete from tallies where account = ? and subject = ?'
