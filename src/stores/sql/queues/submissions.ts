import { type AccountId, accountId } from '../../../core/account.ts'
import type { Instant } from '../../../core/ports/clock.ts'
import {
  defaultQueueKey,
  type ClaimEnd,
  type QueueKey,
  type Submission,
  type Submissions,
} from '../../../core/ports/submissions.ts'
import type { MaybePromise } from '../../../core/maybe-promise.ts'
import { cellOf } from '../../cell.ts'
import { addSubmission } from '../../commit.ts'
import type { Claimable } from '../dialect.ts'
import type { SqlConnection, Row, SqlValue } from '../connection.ts'
import { inSets } from '../fragment.ts'
import { numberIn, textIn } from '../rows/row.ts'
import type { Session } from '../session.ts'
import type { Work } from '../work.ts'
import type { Slice } from '../tables/slice.ts'
import { firstOfEach, type QueueInSlice, queuesIn, slicesWith } from './waiting-queues.ts'

/**
 * The queue of submissions in a table. A row with an end of its claim is claimed, or was when its process died: it
 * is uncertain. A claim changes no column of an index: claimed rows stay where they are in their queue, and a
 * claim passes over them. They are as many as carriers have messages in flight.
 */
export function sqlSubmissions({
  connection,
  dialect,
  slices,
  queues,
  effects,
}: Work): Submissions {
  const claim = claimer({ connection, dialect })
  let found: readonly QueueInSlice[] | null = null

  return {
    waiting: async (now) => {
      queues.look(now)
      const looks = slices.map((slice) => queuesIn(connection, queues, slice, now))
      found = (await Promise.all(looks)).flat()
      return firstOfEach(found)
    },
    countDue: async (queue, now, limit) => {
      let count = 0
      for (const slice of slices) {
        const from = queues.beginOf(slice, queue)
        const params = [queue.lane, queue.priority, from, now, now, limit - count]
        if (count < limit) count += numberIn((await connection.first(countDue(slice), params))?.[0])
      }
      return count
    },
    claim: (now, until, limit, queue = defaultQueueKey, owner = null) => {
      const parts = { until, limit, owner }
      if (queue === 'LATE') return claim(late, slices, { ...parts, valuesIn: () => [now, now] })
      const { lane, priority } = queue
      const from = found === null ? slices : slicesWith(found, queue, now)
      const valuesIn = (slice: Slice) => [lane, priority, queues.beginOf(slice, queue), now, now]
      return claim(due, from, { ...parts, valuesIn })
    },
    settle: async ({ account, messageId, attempt }, end) => {
      const claimed = claimedBy(account, messageId, attempt)
      return (await settle(connection, claimed, end)) > 0
    },
    free: async (owner, now) => {
      const params = [now, now, now, owner]
      const freed = await Promise.all(slices.map((slice) => connection.run(free(slice), params)))
      if (freed.every((count) => count === 0)) return
      queues.forget()
      addSubmission(effects, now)
    },
  }
}

function settle(
  connection: SqlConnection,
  claimed: readonly SqlValue[],
  end: ClaimEnd,
): MaybePromise<number> {
  switch (end.kind) {
    case 'FINISHED':
      return connection.run(finish, claimed)
    case 'EXTENDED':
      return connection.run(prolong, [end.dueAt, end.dueAt, ...claimed])
    case 'POSTPONED': {
      const { dueAt, queue } = end
      if (queue === undefined) return connection.run(postpone, [dueAt, ...claimed])
      return connection.run(move, [dueAt, queue.lane, queue.priority, ...claimed])
    }
  }
}

/** Claims from one slice after the other, up to a limit in all. */
function claimer({ connection, dialect }: Pick<Session, 'connection' | 'dialect'>) {
  const claimIn = async (
    which: Claimable,
    values: readonly SqlValue[],
    until: Instant,
    limit: number,
    owner: string | null,
  ): Promise<readonly Submission[]> => {
    const params = [...values, limit]
    if (dialect.claim !== null) {
      const rows = await connection.all(dialect.claim(which), [until, owner, ...params])
      return rows.map(submissionIn)
    }
    const rows = await connection.all(selected(which), params)
    if (rows.length > 0) await connection.run(taken(which), [until, until, until, owner, ...params])
    return rows.map(submissionIn)
  }
  return async (
    which: (slice: Slice) => Claimable,
    from: readonly Slice[],
    { valuesIn, until, limit, owner }: ClaimParts,
  ): Promise<readonly Submission[]> => {
    const claimed: Submission[] = []
    for (const slice of from) {
      const left = limit - claimed.length
      if (left === 0) break
      claimed.push(...(await claimIn(which(slice), valuesIn(slice), until, left, owner)))
    }
    return claimed
  }
}

/** Values that a claim writes, and its maximum number of rows. */
interface ClaimParts {
  valuesIn(slice: Slice): readonly SqlValue[]
  readonly until: Instant
  readonly limit: number
  readonly owner: string | null
}

/** Makes a message of an account due; again changes time and place alone. */
export async function enqueue(
  connection: SqlConnection,
  account: AccountId,
  messageId: string,
  dueAt: Instant,
  { lane, priority }: QueueKey,
  lateAt: Instant | null,
): Promise<void> {
  const key = [cellOf(account), account, messageId]
  await connection.run(insert, [...key, dueAt, lane, priority, lateAt])
}

/** Dequeues a message, unless its submit has begun. */
export async function dequeue(
  connection: SqlConnection,
  account: AccountId,
  messageId: string,
): Promise<QueueKey | null> {
  const key = [cellOf(account), account, messageId]
  const row = await connection.first(queueOfUnclaimed, key)
  if (row === undefined) return null
  // Another transaction may have claimed it since.
  if ((await connection.run(removeUnclaimed, key)) === 0) return null
  return { lane: textIn(row[0]), priority: numberIn(row[1]) }
}

/** Removes the submission of a message, claimed or not. */
export async function dropSubmission(
  connection: SqlConnection,
  account: AccountId,
  messageId: string,
): Promise<void> {
  await connection.run(remove, [cellOf(account), account, messageId])
}

/** Names one claim of a submission, which the row has counted. */
function claimedBy(account: AccountId, messageId: string, attempt: number): readonly SqlValue[] {
  return [cellOf(account), account, messageId, attempt + 1]
}

function submissionIn([account, message, attempt, claimedUntil, queue, priority]: Row): Submission {
  return {
    account: accountId(textIn(account)),
    messageId: textIn(message),
    attempt: numberIn(attempt),
    uncertain: claimedUntil !== null,
    place: { lane: textIn(queue), priority: numberIn(priority) },
  }
}

const isFree = '(claimed_until is null or claimed_until <= ?)'
const isDue = `queue = ? and priority = ? and due_at >= ? and due_at <= ? and ${isFree}`

const countDue = (slice: Slice): string => `
  select count(*) from (
    select 1 from submissions where ${slice.holds()} and ${isDue} limit ?) found`

/** In the order of the index, so that no plan sorts a queue, independent of the statistics. */
const due = (slice: Slice): Claimable => ({
  slice,
  where: isDue,
  by: 'due_at',
})

/** A submission with a running submit is not late: its outcome decides. */
const late = (slice: Slice): Claimable => ({
  slice,
  where: `late_at <= ? and ${isFree}`,
  by: 'late_at',
})

const selected = ({ slice, where, by }: Claimable): string => `
  select account, message, attempt, claimed_until, queue, priority from submissions
  where ${slice.holds()} and ${where} order by ${by} limit ?`

/** A late one may be due later; it is due when its claim ends. */
const taken = ({ slice, where, by }: Claimable): string => `
  update submissions set claimed_until = ?, due_at = case when due_at > ? then ? else due_at end,
    attempt = attempt + 1, claimed_by = cast(? as text) || ' ' || (attempt + 1)
  where (cell, account, message) in (
    select cell, account, message from submissions
    where ${slice.holds()} and ${where} order by ${by} limit ?)`

/** A claim is named by its node and its attempt. */
const free = (slice: Slice): string => `
  update submissions set claimed_until = ?, claimed_by = null,
    due_at = case when due_at > ? then ? else due_at end
  where ${slice.holds()} and claimed_until is not null
    and claimed_by = cast(? as text) || ' ' || cast(attempt as text)`

const key = 'cell = ? and account = ? and message = ?'
const finish = `${inSets}
  delete from submissions where ${key} and attempt = ?`
const postpone = `${inSets}
  update submissions set due_at = ?, claimed_until = null where ${key} and attempt = ?`
const prolong = `
  update submissions set claimed_until = case when claimed_until is not null then cast(? as bigint) end,
    due_at = case when claimed_until is null then cast(? as bigint) else due_at end
  where ${key} and attempt = ?`
const move = `
  update submissions set due_at = ?, claimed_until = null, queue = ?, priority = ?
  where ${key} and attempt = ?`
const insert = `${inSets}
  insert into submissions (cell, account, message, due_at, attempt, queue, priority, late_at)
  values (?, ?, ?, ?, 0, ?, ?, ?)
  on conflict (cell, account, message) do update set due_at = excluded.due_at,
    claimed_until = case when submissions.claimed_until is not null then excluded.due_at end,
    queue = excluded.queue, priority = excluded.priority, late_at = excluded.late_at`
const queueOfUnclaimed = `
  select queue, priority from submissions where ${key} and claimed_until is null`
const remove = `delete from submissions where ${key}`
const removeUnclaimed = `${remove} and claimed_until is null`
