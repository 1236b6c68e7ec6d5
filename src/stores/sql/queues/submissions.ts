import { type AccountId, accountId } from '../../../core/account.ts'
import type { Instant } from '../../../core/ports/clock.ts'
import type { MaybePromise } from '../../../core/maybe-promise.ts'
import {
  defaultQueueKey,
  type QueueKey,
  type Submission,
  type Submissions,
} from '../../../core/ports/submissions.ts'
import type { Claimable } from './claimable.ts'
import type { SqlConnection, Row, SqlValue } from '../connection.ts'
import { inSets } from '../lists/in-sets.ts'
import { numberIn, textIn } from '../rows/row.ts'
import type { Session } from '../session.ts'

/** The queue of submissions in a table. A row that is uncertain is claimed, or was when its process died. */
export function sqlSubmissions({ connection, dialect }: Session): Submissions {
  const claim = async (
    which: Claimable,
    values: readonly SqlValue[],
    until: Instant,
    limit: number,
    owner: string | null,
  ): Promise<readonly Submission[]> => {
    const params = [...values, limit]
    if (dialect.claim !== null) {
      const rows = await connection.all(dialect.claim(which), [...params, until, owner])
      return rows.map(submissionIn)
    }
    const rows = await connection.all(found(which), params)
    if (rows.length > 0) await connection.run(taken(which), [until, owner, ...params])
    return rows.map(submissionIn)
  }

  return {
    waiting: async () =>
      (await connection.all(places, [])).map(([lane, priority, dueAt]) => ({
        lane: textIn(lane),
        priority: numberIn(priority),
        dueAt: numberIn(dueAt),
      })),
    claim: (now, until, limit, { lane, priority } = defaultQueueKey, owner = null) =>
      claim(due, [lane, priority, now], until, limit, owner),
    claimLate: (now, until, limit, owner = null) => claim(late, [now, now], until, limit, owner),
    finish: async ({ account, messageId, attempt }) =>
      (await connection.run(finish, [account, messageId, attempt + 1])) > 0,
    drop: async (account, messageId) => {
      await connection.run(drop, [account, messageId])
    },
    postpone: async ({ account, messageId, attempt }, dueAt, place) => {
      const claimed = [account, messageId, attempt + 1]
      const postponed =
        place === undefined
          ? await connection.run(postpone, [dueAt, ...claimed])
          : await connection.run(move, [dueAt, place.lane, place.priority, ...claimed])
      return postponed > 0
    },
    extendClaim: async ({ account, messageId, attempt }, until) =>
      (await connection.run(prolong, [until, account, messageId, attempt + 1])) > 0,
  }
}

/** Makes what a node has claimed due, as uncertain; returns how much that was. */
export function freeClaims(
  connection: SqlConnection,
  owner: string,
  now: Instant,
): MaybePromise<number> {
  return connection.run(free, [now, owner])
}

/** Makes a message of an account due; again changes time and place alone. */
export async function submit(
  connection: SqlConnection,
  account: AccountId,
  messageId: string,
  dueAt: Instant,
  { lane, priority }: QueueKey,
  lateAt: Instant | null,
): Promise<void> {
  await connection.run(insert, [account, messageId, dueAt, lane, priority, lateAt])
}

/** Takes a message out unless it is, or was, being handed over. */
export async function withdraw(
  connection: SqlConnection,
  account: AccountId,
  messageId: string,
): Promise<QueueKey | null> {
  const row = await connection.first(placeOf, [account, messageId])
  if (row === undefined) return null
  await connection.run(remove, [account, messageId])
  return { lane: textIn(row[0]), priority: numberIn(row[1]) }
}

function submissionIn([account, message, attempt, uncertain, lane, priority]: Row): Submission {
  return {
    account: accountId(textIn(account)),
    messageId: textIn(message),
    attempt: numberIn(attempt),
    uncertain: numberIn(uncertain) === 1,
    place: { lane: textIn(lane), priority: numberIn(priority) },
  }
}

/** Steps from place to place along the index: what it costs depends on the places, not on what waits. */
const places = `
  with recursive lanes (lane) as (
    select min(lane) from submissions
    union all
    select (select min(lane) from submissions where lane > lanes.lane) from lanes
    where lanes.lane is not null)
  select lane, priority, due_at from (
    select lanes.lane as lane, priorities.priority as priority,
      (select min(waiting.due_at) from submissions waiting
        where waiting.lane = lanes.lane and waiting.priority = priorities.priority) as due_at
    from lanes, (select 0 as priority union all select 1 union all select 2 union all select 3) priorities
    where lanes.lane is not null) found
  where due_at is not null order by lane, priority`

const due: Claimable = {
  where: 'lane = ? and priority = ? and due_at <= ?',
  by: 'due_at, account, message',
}

/** What is being handed over is not late: its outcome decides. */
const late: Claimable = {
  where: 'late_at <= ? and (uncertain = 0 or due_at <= ?)',
  by: 'late_at, account, message',
}

const found = ({ where, by }: Claimable): string => `
  select account, message, attempt, uncertain, lane, priority from submissions
  where ${where} order by ${by} limit ?`

const taken = ({ where, by }: Claimable): string => `
  update submissions set due_at = ?, attempt = attempt + 1, uncertain = 1,
    claimed_by = cast(? as text) || ' ' || (attempt + 1)
  where (account, message) in (
    select account, message from submissions where ${where} order by ${by} limit ?)`

/**
 * A claim is named by its node and its attempt: nodes of an earlier version do not say whose theirs are,
 * and leave the name of the one before.
 */
const free = `
  update submissions set due_at = ?, claimed_by = null
  where uncertain = 1 and claimed_by = cast(? as text) || ' ' || attempt`

const finish = `${inSets}
  delete from submissions where account = ? and message = ? and attempt = ?`
const drop = 'delete from submissions where account = ? and message = ?'
const postpone = `${inSets}
  update submissions set due_at = ?, uncertain = 0
  where account = ? and message = ? and attempt = ?`
const prolong = `
  update submissions set due_at = ? where account = ? and message = ? and attempt = ?`
const move = `
  update submissions set due_at = ?, uncertain = 0, lane = ?, priority = ?
  where account = ? and message = ? and attempt = ?`
const insert = `${inSets}
  insert into submissions (account, message, due_at, attempt, uncertain, lane, priority, late_at)
  values (?, ?, ?, 0, 0, ?, ?, ?)
  on conflict (account, message) do update set due_at = excluded.due_at,
    lane = excluded.lane, priority = excluded.priority, late_at = excluded.late_at`
const placeOf = `
  select lane, priority from submissions where account = ? and message = ? and uncertain = 0`
const remove = 'delete from submissions where account = ? and message = ? and uncertain = 0'
