import type { AccountId } from '../../../core/account.ts'
import type { MaybePromise } from '../../../core/maybe-promise.ts'
import type { CounterBounds, CounterChange, Counters } from '../../../core/ports/counters.ts'
import { cellOf } from '../../cell.ts'
import type { SqlConnection, SqlValue } from '../connection.ts'
import { inSets, join, parameter, plain } from '../fragment.ts'
import { numberIn, textIn } from '../rows/row.ts'
import type { Session } from '../session.ts'
import {
  type Work,
  type CounterKey,
  CounterSums,
  type Tallied,
  SerializationConflict,
} from '../work.ts'

/** Begins to count under names for a subject, from 0; without names it ends the counting. */
export async function setCounters(
  { connection, held, isTogether }: Work,
  account: AccountId,
  subject: string,
  names: readonly string[],
): Promise<void> {
  // Other tasks that share this transaction may have read a count that they have not yet changed.
  if (isTogether && !held.isEmpty()) throw new SerializationConflict()
  await writeCounters(connection, held.take())
  if (names.length === 0) await connection.run(end, [cellOf(account), account, subject])
  for (const name of names) {
    await connection.run(begin, [cellOf(account), account, subject, name])
  }
}

/**
 * Adds to a counter unless it would exceed the bounds. Its row is locked until the transaction ends, and
 * written then, once for all changes: each version of a row costs while an old snapshot is open.
 */
export async function addWithin(
  { connection, dialect, held }: Work,
  change: Tallied,
  { atLeast, atMost }: CounterBounds,
): Promise<CounterChange | null> {
  const row = await connection.first(`${findOne}${dialect.forUpdate}`, keyOf(change))
  if (row === undefined) return null
  const before = numberIn(row[0]) + held.of(change)
  const count = before + change.by
  if (count < atLeast || count > atMost) return { count: before, isAdded: false }
  held.add(change)
  return { count, isAdded: true }
}

/** Writes changes of counters, sorted, so that no two transactions wait for each other. */
export async function writeCounters(
  connection: SqlConnection,
  changes: readonly Tallied[],
): Promise<void> {
  const sums = new CounterSums()
  for (const change of changes) sums.add(change)
  const written: MaybePromise<number>[] = []
  for (const change of sums.take().toSorted(inOrder)) {
    if (change.by !== 0) written.push(connection.run(add, [change.by, ...keyOf(change)]))
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

function keyOf({ account, subject, name }: CounterKey): readonly SqlValue[] {
  return [cellOf(account), account, subject, name]
}

/** Returns the counters of subjects of an account. */
export async function findCounters(
  { connection, dialect }: Session,
  account: AccountId,
  subjects: readonly string[],
): Promise<Map<string, Record<string, number>>> {
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

/** Returns the same within a transaction, with its own changes. */
export async function findCountersIn(
  work: Work,
  account: AccountId,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, Counters>> {
  await writeCounters(work.connection, work.late.takeCounted())
  const found = await findCounters(work, account, subjects)
  if (work.held.isEmpty()) return found
  for (const [subject, counts] of found) {
    for (const [name, count] of Object.entries(counts)) {
      counts[name] = count + work.held.of({ account, subject, name })
    }
  }
  return found
}

const one = 'cell = ? and account = ? and subject = ? and name = ?'
const find = 'select subject, name, count from counters where cell ='
const findOne = `${inSets} select count from counters where ${one}`
const begin = `
  insert into counters (cell, account, subject, name, count) values (?, ?, ?, ?, 0)
  on conflict (cell, account, subject, name) do nothing`
const add = `update counters set count = count + ? where ${one}`
const end = 'delete from counters where cell = ? and account = ? and subject = ?'
