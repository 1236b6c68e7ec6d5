import { type Clock, wait } from '../core/ports/clock.ts'
import type { Log } from '../core/ports/log.ts'
import type { Metrics } from '../core/ports/metrics.ts'
import type { Store } from '../core/ports/store.ts'
import type { DelayingTransaction, DiskUse } from '../core/ports/store-health.ts'

/** Dependencies of the watch. */
export interface StoreWatchParts {
  readonly store: Pick<Store, 'health' | 'disk'>
  readonly clock: Clock
  readonly log: Log
}

/** Interval of the looks, age that is worth a warning, and interval of its repetition, in milliseconds. */
const lookMs = 20_000
const delayMs = 60_000
const againMs = 3_600_000

/** Watches the connections and the transactions of the store, as long as it runs. */
export function watchStore(
  { store: { health, disk }, clock, log }: StoreWatchParts,
  registry: Metrics,
): AsyncDisposable {
  const stopping = new AbortController()
  const { signal } = stopping
  let oldest: DelayingTransaction | null = null
  const warn = delayWarning(log, clock)

  measurePools(registry, health)
  measureDisk(registry, disk)
  registry.gauge(
    'nuncio_store_delaying_transaction_seconds',
    'Age of the oldest transaction, of any program, that delays vacuum for over a minute, or 0.',
    () => (health === undefined ? [] : [{ labels: {}, value: (oldest?.ageMs ?? 0) / 1000 }]),
  )

  const run = async (): Promise<void> => {
    while (health !== undefined && !signal.aborted) {
      // An unreachable store is in the log already.
      const found = await health.delayingTransactions(delayMs).catch(() => null)
      if (found !== null) {
        oldest = found[0] ?? null
        warn(oldest)
      }
      await wait(clock, lookMs, signal)
    }
  }
  const running = run()

  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      await running
    },
  }
}

/** Measures the connection pools, under OpenTelemetry's names. */
function measurePools(registry: Metrics, health: Store['health']): void {
  const gauge = (name: string, help: string, state: 'busy' | 'waiting' | 'max'): void =>
    registry.gauge(name, help, () =>
      (health?.pools() ?? []).map((pool) => ({
        labels: {
          db_client_connection_pool_name: pool.name,
          ...(state === 'busy' ? { db_client_connection_state: 'used' } : {}),
        },
        value: pool[state],
      })),
    )
  gauge('db_client_connection_count', 'Connections of this node in use.', 'busy')
  gauge('db_client_connection_max', 'Maximum connections of this node.', 'max')
  gauge('db_client_connection_pending_requests', 'Tasks that wait for a connection.', 'waiting')
}

function measureDisk(registry: Metrics, disk: Store['disk']): void {
  const gauge = (name: string, help: string, valueOf: (use: DiskUse) => number): void =>
    registry.gauge(name, help, async () => {
      const use = await disk?.().catch(() => null)
      return use === undefined || use === null ? [] : [{ labels: {}, value: valueOf(use) }]
    })
  gauge('nuncio_store_data_bytes', 'Size of the SQLite file.', ({ dataBytes }) => dataBytes)
  gauge('nuncio_store_wal_bytes', 'Size of its write-ahead log.', ({ walBytes }) => walBytes)
  gauge('nuncio_store_disk_free_bytes', 'Free space on its disk.', ({ freeBytes }) => freeBytes)
  gauge('nuncio_store_disk_size_bytes', 'Size of its disk.', ({ totalBytes }) => totalBytes)
}

/** Warns of a transaction once, of another one, and each hour. */
function delayWarning(log: Log, clock: Clock) {
  let warned: DelayingTransaction | null = null
  let warnedAt = -Infinity

  return (oldest: DelayingTransaction | null): void => {
    const now = clock.monotonic()
    if (oldest === null) {
      if (warned !== null) log('info', 'no transaction delays vacuum', {})
      warned = null
      return
    }
    if (warned !== null && isSame(warned, oldest) && now - warnedAt < againMs) return
    warned = oldest
    warnedAt = now
    const { ageMs, ...transaction } = oldest
    log('warn', 'transaction delays vacuum', {
      ...transaction,
      ageSeconds: Math.round(ageMs / 1000),
    })
  }
}

/** A process has one transaction at a time; a later one is younger. */
function isSame(before: DelayingTransaction, now: DelayingTransaction): boolean {
  const isProcess = before.pid === now.pid && before.application === now.application
  return isProcess && now.ageMs >= before.ageMs
}
