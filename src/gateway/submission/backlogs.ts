import { wait, type Clock, type Instant } from '../../core/ports/clock.ts'
import type { Metrics, Sample } from '../../core/ports/metrics.ts'
import type { Store } from '../../core/ports/store.ts'
import { readQueueName } from './queue-key.ts'

/** The limit of counting for a carrier: far fewer due submissions are worth an alarm. */
const backlogMax = 10_000

/** Interval of the samples, in milliseconds: as late as statistics are. */
const sampleMs = 5000

/** The due submissions of a carrier. */
export interface Backlog {
  /** At most `backlogMax`. */
  readonly count: number
  /** Due time of the oldest. */
  readonly since: Instant
}

/** Counts the due submissions by carrier; the key is empty if no carrier serves their recipients. */
function readBacklogs(store: Store, now: Instant): Promise<ReadonlyMap<string, Backlog>> {
  return store.transact(async ({ submissions }) => {
    const found = new Map<string, Backlog>()
    for (const queue of await submissions.waiting(now)) {
      if (queue.dueAt > now) continue
      const carrier = readQueueName(queue.lane).carrier ?? ''
      const { count, since } = found.get(carrier) ?? { count: 0, since: now }
      const left = backlogMax - count
      found.set(carrier, {
        count: count + (left > 0 ? await submissions.countDue(queue, now, left) : 0),
        since: Math.min(since, queue.dueAt),
      })
    }
    return found
  })
}

/** The backlogs of a few seconds ago. */
export interface BacklogSample extends AsyncDisposable {
  /** Returns the backlog of a carrier; null before the first sample, and while the store is unreachable. */
  of(carrier: string): Backlog | null
}

/**
 * Reads the backlogs again and again. A rule that computes live fields runs inside a transaction, and
 * a transaction of its own would wait for that one forever.
 */
export function sampleBacklogs(store: Store, clock: Clock): BacklogSample {
  const stopping = new AbortController()
  let latest: ReadonlyMap<string, Backlog> | null = null
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      // The log has the failures of the store already.
      latest = await readBacklogs(store, clock.now()).catch(() => null)
      await wait(clock, sampleMs, stopping.signal)
    }
  }
  const running = run()
  return {
    of: (carrier) =>
      latest === null ? null : (latest.get(carrier) ?? { count: 0, since: clock.now() }),
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      await running
    },
  }
}

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
