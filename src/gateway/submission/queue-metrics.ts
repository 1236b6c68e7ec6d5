import type { Clock } from '../../core/ports/clock.ts'
import type { Metrics, Sample } from '../../core/ports/metrics.ts'
import type { Store } from '../../core/ports/store.ts'
import { backlogMax, readBacklogs, type Backlog } from './backlogs.ts'

/** Measures the submissions that wait for each carrier. */
export function measureQueues(
  registry: Metrics,
  store: Store,
  clock: Clock,
  open: () => readonly { readonly id: string }[] = () => [],
): void {
  const gauge = (
    name: string,
    help: string,
    valueOf: (backlog: Backlog, now: number) => number,
  ): void =>
    registry.gauge(name, help, () => {
      const now = clock.now()
      return readBacklogs(store, now).then(
        (found) =>
          [...withIdle(found, open(), now)].map(([carrier, backlog]): Sample => {
            return { labels: { carrier }, value: valueOf(backlog, now) }
          }),
        // An unreachable store must not block the other metrics.
        () => [],
      )
    })
  gauge(
    'nuncio_submissions_due',
    `Submissions that are due and wait, counted up to ${backlogMax} for each carrier.`,
    ({ count }) => count,
  )
  gauge(
    'nuncio_submissions_oldest_due_seconds',
    'Time that the oldest of them waits.',
    ({ since }, now) => (now - since) / 1000,
  )
}

/** Adds the open carriers for which nothing waits. */
function withIdle(
  found: ReadonlyMap<string, Backlog>,
  open: readonly { readonly id: string }[],
  now: number,
): ReadonlyMap<string, Backlog> {
  const idle = open.map(({ id }): [string, Backlog] => [id, { count: 0, since: now }])
  return new Map([...idle, ...found])
}
