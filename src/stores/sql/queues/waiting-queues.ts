import type { Instant } from '../../../core/ports/clock.ts'
import type { QueueKey, WaitingQueue } from '../../../core/ports/submissions.ts'
import type { SqlConnection } from '../connection.ts'
import { numberIn, textIn } from '../rows/row.ts'
import type { Slice } from '../tables/slice.ts'

/** A queue in a slice in which something waits. */
export interface QueueInSlice extends WaitingQueue {
  readonly slice: Slice
}

/** Returns the queues of a slice in which something waits. */
export async function queuesIn(
  connection: SqlConnection,
  slice: Slice,
): Promise<readonly QueueInSlice[]> {
  const rows = await connection.all(places(slice), [])
  return rows.map(([queue, priority, dueAt]) => ({
    lane: textIn(queue),
    priority: numberIn(priority),
    dueAt: numberIn(dueAt),
    slice,
  }))
}

/** Returns each queue once, by lane and priority, with the time of its first submission in any slice. */
export function firstOfEach(all: readonly QueueInSlice[]): readonly WaitingQueue[] {
  const first = new Map<string, WaitingQueue>()
  for (const { lane, priority, dueAt } of all) {
    const name = `${priority} ${lane}`
    const known = first.get(name)
    if (known === undefined || dueAt < known.dueAt) first.set(name, { lane, priority, dueAt })
  }
  return [...first.values()].toSorted(
    (a, b) => (a.lane === b.lane ? 0 : a.lane < b.lane ? -1 : 1) || a.priority - b.priority,
  )
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

/**
 * Steps from queue to queue along the index. The cost depends on the number of queues and of claimed rows,
 * not on the queues' lengths. All rows before the first unclaimed one are claimed.
 */
const places = (slice: Slice): string => `
  with recursive queues (queue) as (
    select min(queue) from submissions where ${slice.holds()}
    union all
    select (select min(queue) from submissions where ${slice.holds()} and queue > queues.queue) from queues
    where queues.queue is not null),
  firsts as materialized (
    select q.queue as queue, p.priority as priority,
      (select s.due_at from submissions s
        where ${slice.holds('s.cell')} and s.queue = q.queue and s.priority = p.priority and s.claimed_until is null
        order by s.due_at limit 1) as due_at
    from queues q,
      (select 0 as priority union all select 1 union all select 2 union all select 3) p
    where q.queue is not null),
  found as materialized (
    select f.queue, f.priority, f.due_at,
      (select min(s.claimed_until) from submissions s
        where ${slice.holds('s.cell')} and s.queue = f.queue and s.priority = f.priority and s.claimed_until is not null
          and s.due_at <= coalesce(f.due_at, ${Number.MAX_SAFE_INTEGER})) as claimed_until
    from firsts f)
  select queue, priority,
    case when claimed_until is null or due_at <= claimed_until then due_at else claimed_until end
  from found where due_at is not null or claimed_until is not null order by queue, priority`
