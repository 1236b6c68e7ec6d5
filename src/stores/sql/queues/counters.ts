import type { AccountId } from '../../../core/account.ts'
import type { MaybePromise } from '../../../core/maybe-promise.ts'
import { cellOf } from '../../cell.ts'
import type { SqlConnection } from '../connection.ts'
import { join, parameter, plain } from '../fragment.ts'
import { numberIn, textIn } from '../rows/row.ts'
import type { Session } from '../session.ts'
import type { Tallied } from '../late-writes.ts'
import type { Counters } from '../../../core/ports/counters.ts'

/** Begins to count under names for a subject, from 0; without names it ends the counting. */
export async function setCounters(
  connection: SqlConnection,
  account: AccountId,
  subject: string,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) await connection.run(end, [cellOf(account), account, subject])
  for (const name of names) {
    await connection.run(begin, [cellOf(account), account, subject, name])
  }
}

/** Writes changes of counters, sorted, so that no two transactions wait for each other. */
export async function writeCounters(
  connection: SqlConnection,
  changes: readonly Tallied[],
): Promise<void> {
  const sums = new Map<string, Tallied>()
  for (const one of changes) {
    const key = `${one.account} ${one.subject} ${one.name}`
    sums.set(key, { ...one, by: one.by + (sums.get(key)?.by ?? 0) })
  }
  const written: MaybePromise<number>[] = []
  for (const { account, subject, name, by } of [...sums.values()].toSorted(inOrder)) {
    if (by === 0) continue
    written.push(connection.run(add, [by, cellOf(account), account, subject, name]))
  }
  await Promise.all(written)
}

/** Orders counters by their key. */
function inOrder(a: Tallied, b: Tallied): number {
  const byCell = cellOf(a.account) - cellOf(b.account)
  if (byCell !== 0) return byCell
  if (a.account !== b.account) return a.account < b.account ? -1 : 1
  if (a.subject !== b.subject) return a.subject < b.subject ? -1 : 1
  return a.name < b.name ? -1 : 1
}

/** Returns the counters of subjects of an account. */
export async function findTallies(
  { connection, dialect }: Session,
  account: AccountId,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, Counters>> {
  const found = new Map<string, Record<string, number>>()
  if (subjects.length === 0) return found
  const among = dialect.among(plain('subject'), subjects)
  const { sql, params } = join`${plain(find)} ${parameter(cellOf(account))}
    and account = ${parameter(account)} and ${among}`
  for (const [subject, name, count] of await connection.all(sql, params)) {
    const counts = found.get(textIn(subject)) ?? {}
    counts[textIn(name)] = numberIn(count)
    found.set(textIn(subject), counts)
  }
  return found
}

const find = 'select subject, name, count from counters where cell ='
const begin = `
  insert into counters (cell, account, subject, name, count) values (?, ?, ?, ?, 0)
  on conflict (cell, account, subject, name) do update set count = 0`
const add = `
  update counters set count = count + ?
  where cell = ? and account = ? and subject = ? and name = ?`
const end = 'delete from counters where cell = ? and account = ? and subject = ?'
