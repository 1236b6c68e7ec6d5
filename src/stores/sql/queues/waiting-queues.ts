import type { Instant } from '../../../core/ports/clock.ts'
import type { QueueKey, WaitingQueue } from '../../../core/ports/submissions.ts'
import type { SqlConnection } from '../connection.ts'
import { inSets } from '../fragment.ts'
import { numberIn, numberOrNullIn, textIn } from '../rows/row.ts'
import type { Slice } from '../tables/slice.ts'
import { byLaneAndPriority, type KnownQueues } from './known-queues.ts'

/** A queue in a slice in which something waits. */
export interface QueueInSlice extends WaitingQueue {
  readonly slice: Slice
}

/** Returns the queues of a slice in which something waits, and remembers where each begins. */
export async function queuesIn(
  connection: SqlConnection,
  known: KnownQueues,
  slice: Slice,
  now: Instant,
): Promise<readonly QueueInSlice[]> {
  await discover(connection, known, slice)
  const heads = await Promise.all(
    known.of(slice).map(async (queue) => {
      const { lane, priority, from } = queue
      const params = [lane, priority, from, lane, priority, lane, priority]
      const [firstAt = null, dueAt = null] = (await connection.first(head(slice), params)) ?? []
      known.found(queue, numberOrNullIn(firstAt), now)
      return dueAt === null ? [] : [{ lane, priority, dueAt: numberIn(dueAt), slice }]
    }),
  )
  return heads.flat()
}

/** Before and after every queue. */
const ends: readonly [QueueKey, QueueKey] = [
  { lane: '', priority: -1 },
  { lane: '\u{10ffff}', priority: 9 },
]

/** Adds the queues that have rows and are not known yet: between two that are known it looks for one more. */
async function discover(
  connection: SqlConnection,
  known: KnownQueues,
  slice: Slice,
): Promise<void> {
  let gaps = between([ends[0], ...known.of(slice), ends[1]])
  while (gaps.length > 0) {
    const found = await Promise.all(
      gaps.map(async ([before, after]) => {
        const params = [before.lane, before.priority, after.lane, after.priority]
        const row = await connection.first(next(slice), params)
        if (row === undefined) return []
        const queue = { lane: textIn(row[0]), priority: numberIn(row[1]) }
        known.add(slice, queue)
        return between([before, queue, after])
      }),
    )
    gaps = found.flat()
  }
}

function between(queues: readonly QueueKey[]): readonly (readonly [QueueKey, QueueKey])[] {
  return queues.slice(1).flatMap((after, at) => {
    const before = queues[at]
    return before === undefined ? [] : [[before, after] as const]
  })
}

/** Returns each queue once, by lane and priority, with the time of its first submission in any slice. */
export function firstOfEach(all: readonly QueueInSlice[]): readonly WaitingQueue[] {
  const first = new Map<string, WaitingQueue>()
  for (const { lane, priority, dueAt } of all) {
    const name = `${priority} ${lane}`
    const known = first.get(name)
    if (known === undefined || dueAt < known.dueAt) first.set(name, { lane, priority, dueAt })
  }
  return [...first.values()].toSorted(byLaneAndPriority)
}

/** Returns the slices in which a queue has something due, earliest due first. */
export function slicesWith(
  all: readonly QueueInSlice[],
  queue: QueueKey,
  now: Instant,
): readonly Slice[] {
  return all
    .filter(({ lane, priority }) => lane === queue.lane && priority === queue.priority)
    .filter(({ dueAt }) => dueAt <= now)
    .toSorted((a, b) => a.dueAt - b.dueAt)
    .map(({ slice }) => slice)
}

const next = (slice: Slice): string => `${inSets}
  select queue, priority from submissions
  where ${slice.holds()} and (queue, priority) > (?, ?) and (queue, priority) < (?, ?)
  order by queue, priority limit 1`

const isOfQueue = 'queue = ? and priority = ? and due_at >='

/**
 * Finds the first row of a queue, and when one is due: an unclaimed row, or the end of a claim before it. The cost
 * depends on the number of claimed rows, not on the queue's length; what was removed before the first row is
 * passed once.
 */
const head = (slice: Slice): string => `${inSets}
  select first_at, case when claimed_until is null or free_at <= claimed_until then free_at else claimed_until end
  from (
    with firsts as materialized (
      select (select due_at from submissions where ${slice.holds()} and ${isOfQueue} ?
        order by due_at limit 1) as first_at),
    frees as materialized (
      select first_at,
        (select due_at from submissions where ${slice.holds()} and ${isOfQueue} first_at and claimed_until is null
          order by due_at limit 1) as free_at from firsts),
    claims as materialized (
      select first_at, free_at,
        (select min(claimed_until) from submissions where ${slice.holds()} and ${isOfQueue} first_at
          and claimed_until is not null and due_at <= coalesce(free_at, ${Number.MAX_SAFE_INTEGER})) as claimed_until
      from frees)
    select first_at, free_at, claimed_until from claims) ends`
