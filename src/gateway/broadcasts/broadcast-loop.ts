import { broadcastWork, type BroadcastWork } from '../../collections/broadcast-work.ts'
import { accountId, everyAccount } from '../../core/account.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { Log } from '../../core/ports/log.ts'
import type { Metrics } from '../../core/ports/metrics.ts'
import { type Store, StoreUnavailable, type Transaction } from '../../core/ports/store.ts'
import { loop, type Loop } from '../loop.ts'
import { cancelSlice } from './cancel-slice.ts'
import { settleFailure, type SliceEvents } from './failed-slice.ts'
import { jobOf, type JobOptions } from './job.ts'
import { makeSlice } from './make-slice.ts'
import { dueWork, endWork, holdWork, releaseWork } from './work.ts'

/** The process that creates messages of broadcasts. Disposing it waits for the present slice. */
export interface Broadcasting extends AsyncDisposable {
  /** Resumes the work of the last process. */
  start(): void
}

/** Creates the process. It does nothing until it is started. */
export function broadcasting(options: BroadcastLoopOptions): Broadcasting {
  const { store, clock } = options
  const slices = broadcastLoop(options)
  let unsubscribe = (): void => {}

  return {
    start() {
      unsubscribe = store.onCommit(({ changed }) => {
        if (changed.has(broadcastWork.name)) slices.wake(clock.now())
      })
      slices.wake(clock.now())
    },
    async [Symbol.asyncDispose]() {
      unsubscribe()
      await slices.stop()
    },
  }
}

/** The dependencies of the broadcast loop. */
export interface BroadcastLoopOptions extends JobOptions {
  readonly store: Store
  readonly log: Log
  readonly events: SliceEvents
}

/**
 * The lease of a broadcast after each slice. Other nodes take over the broadcasts of a dead node
 * after it.
 */
const holdMs = 5000

/** The interval of runs without a wake-up. */
const pollMs = 5000

/** Creates the loop that creates messages of broadcasts, one slice per run. */
export function broadcastLoop(options: BroadcastLoopOptions): Loop {
  const { store, clock, log, newId, events } = options
  const holder = newId('node')
  let chosen = none()

  const slice = async (transaction: Transaction): Promise<Instant | null> => {
    const now = clock.now()
    const { work, nextAt } = await dueWork(transaction, holder, now)
    chosen = work
    if (work === null) return nextAt
    const goesOnAt = await serve(transaction, work, options)
    const key = { account: accountId(work.account), broadcast: work.broadcast }
    if (goesOnAt === null) await endWork(transaction, key)
    else {
      const held = { holder, heldUntil: now + holdMs, dueAt: goesOnAt, failures: 0 }
      await holdWork(transaction, work, held)
    }
    return now
  }

  const work = async (): Promise<Instant | null> => {
    chosen = none()
    try {
      return await store.transact(slice)
    } catch (error) {
      const failed = chosen
      if (failed === null || error instanceof StoreUnavailable) throw error
      const settle = (transaction: Transaction) => settleFailure(transaction, failed, options)
      const settled = await store.transact(settle)
      if (settled !== null) events.failed({ work: failed, error, ...settled })
      return clock.now()
    }
  }

  const running = loop({ name: 'broadcasts', clock, log, pollMs, work })
  return {
    wake: running.wake,
    async stop() {
      await running.stop()
      await store
        .transact((transaction) => releaseWork(transaction, holder))
        .catch((error: unknown) => log('error', 'broadcast leases not released', { error }))
    },
  }
}

function none(): BroadcastWork | null {
  return null
}

async function serve(
  transaction: Transaction,
  work: BroadcastWork,
  options: JobOptions,
): Promise<Instant | null> {
  const job = await jobOf(work, transaction, options)
  if (job === null) return null
  return work.task === 'MAKE' ? makeSlice(job) : cancelSlice(job)
}

/** Measures the broadcasts in progress. */
export function measureBroadcasts(metrics: Metrics, store: Store): void {
  metrics.gauge(
    'nuncio_broadcasts_in_progress',
    'Broadcasts, scheduled ones included, that have messages to create or to cancel.',
    () =>
      store
        .read(everyAccount, (reader) => reader.count(broadcastWork, null, every))
        .then(
          (value) => [{ labels: {}, value }],
          // An unreachable store must not block the other metrics.
          () => [],
        ),
  )
}

const every = { conditions: [], searchTerms: [] }
