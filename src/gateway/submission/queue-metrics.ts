import type { Clock } from '../../core/ports/clock.ts'
import type { Metrics, Sample } from '../../core/ports/metrics.ts'
import type { Store } from '../../core/ports/store.ts'
import { readQueueName } from './queue-key.ts'

/** The limit of counting a queue: far fewer due submissions are worth an alarm. */
const countMax = 10_000

/** The due submissions of a carrier. */
interface Backlog {
  readonly count: number
  readonly ageMs: number
}

/** Measures the submissions that wait for each carrier. */
export function measureQueues(
  registry: Metrics,
  store: Store,
  clock: Clock,
  open: () => readonly { readonly id: string }[] = () => [],
): void {
  const gauge = (name: string, help: string, valueOf: (backlog: Backlog) => number): void =>
    registry.gauge(name, help, () =>
      backlogs(store, clock).then(
        (found) =>
          [...withIdle(found, open())].map(([carrier, backlog]): Sample => {
            return { labels: { carrier }, value: valueOf(backlog) }
          }),
        // An unreachable store must not block the other metrics.
        () => [],
      ),
    )
  gauge(
    'nuncio_submissions_due',
    `Submissions that are due and wait, counted up to ${countMax} for each queue.`,
    ({ count }) => count,
  )
  gauge(
    'nuncio_submissions_oldest_due_seconds',
    'Time that the oldest of them waits.',
    ({ ageMs }) => ageMs / 1000,
  )
}

/** Adds the open carriers for which nothing waits. */
function withIdle(
  found: ReadonlyMap<string, Backlog>,
  open: readonly { readonly id: string }[],
): ReadonlyMap<string, Backlog> {
  const idle = open.map(({ id }): [string, Backlog] => [id, { count: 0, ageMs: 0 }])
  return new Map([...idle, ...found])
}

function backlogs(store: Store, clock: Clock): Promise<ReadonlyMap<string, Backlog>> {
  const now = clock.now()
  return store.transact(async ({ submissions }) => {
    const found = new Map<string, Backlog>()
    for (const queue of await submissions.waiting()) {
      if (queue.dueAt > now) continue
      const carrier = readQueueName(queue.lane).carrier ?? ''
      const before = found.get(carrier) ?? { count: 0, ageMs: 0 }
      const count = await submissions.countDue(queue, now, countMax)
      found.set(carrier, {
        count: before.count + count,
        ageMs: Math.max(before.ageMs, now - queue.dueAt),
      })
    }
    return found
  })
}
