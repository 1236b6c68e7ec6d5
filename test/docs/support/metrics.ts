import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config/load-config.ts'

/** The labels of each metric, and what they mean beyond their names. */
const labels: Readonly<Record<string, string>> = {
  nuncio_uptime_seconds: '',
  process_resident_memory_bytes: '',
  nuncio_clock_ahead_seconds: '',
  nuncio_store_commit_duration_seconds: '',
  nuncio_store_connections_busy: '`pool`: writes, reads, loops, queries',
  nuncio_store_connections_max: '`pool`',
  nuncio_store_connections_waiting: '`pool`',
  nuncio_store_delaying_transaction_seconds: '',
  nuncio_credits_moved_total: '`kind`: RESERVED, RETURNED, CHANGED, TOP_UP, WITHDRAWAL',
  nuncio_credits_refused_total: '',
  nuncio_carrier_parts_total: '`carrier`; `status`: of SMPP the `command_status`, or UNANSWERED',
  nuncio_carrier_throttled_total: '`carrier`',
  nuncio_receipts_total:
    '`carrier`; `match`: MATCHED, UNMATCHED (no part has its identifier yet), REPEATED, ' +
    'LATE (its part was given up before)',
  nuncio_carriers: '`state`: of the carrier',
  nuncio_carrier_binds: '`carrier`',
  nuncio_carrier_window_parts: '`carrier`',
  nuncio_carrier_in_flight_parts: '`carrier`',
  nuncio_receipts_unmatched: '',
  nuncio_submissions_lost_total: '',
  nuncio_submissions_due: '`carrier`: empty if none serves the recipient',
  nuncio_submissions_oldest_due_seconds: '`carrier`',
  nuncio_broadcast_slices_failed_total: '',
  nuncio_broadcasts_failed_total: '',
  nuncio_delivery_attempts_total: '`outcome`; `state`: of the webhook before',
  nuncio_records_delivered_total: '',
  nuncio_delivery_duration_seconds: '`outcome`; `state`: of the webhook before',
  nuncio_webhooks: '`state`: of the webhook',
  nuncio_webhook_lag_records: '`state`: of the webhook',
  nuncio_webhook_oldest_undelivered_seconds: '`state`: of the webhook',
  nuncio_retained_messages_total: '`action`: REMOVE, ERASE (the body alone)',
  nuncio_carrier_callbacks_total: '`outcome`: taken, refused, unreadable, not_understood',
  nuncio_carrier_callback_events_total: '`kind`: receipt, message, passed_over, not_understood',
  nuncio_http_requests_total: '`method`, `status`',
  nuncio_http_request_duration_seconds: '`method`, `status`',
}

/** Returns the metrics that a service declares as a table. Throws if the labels of one are unknown. */
export async function metricsTable(): Promise<string> {
  const rows = declaredIn(await metricsText()).map(({ name, type, help }) => {
    const known = labels[name]
    if (known === undefined) throw new Error(`test/docs/support/metrics.ts lacks labels of ${name}`)
    return `| \`${name}\` | ${type} | ${known} | ${help} |`
  })
  return ['| metric | type | labels | meaning |', '|---|---|---|---|', ...rows].join('\n')
}

/** Starts a service with an empty store, reads its metrics and stops it. */
async function metricsText(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'nuncio-metrics-'))
  try {
    const flags = { port: '0', store: `sqlite:${join(folder, 'nuncio.db')}` }
    const loaded = await loadConfig({ flags, environment: {}, cwd: folder })
    if (!loaded.ok) throw new Error(loaded.faults.join('\n'))
    const app = await startApp(loaded.config, { log: () => {} })
    try {
      const response = await fetch(`${app.url}/metrics`)
      return await response.text()
    } finally {
      await app.stop()
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

function declaredIn(text: string) {
  return [...text.matchAll(/^# HELP (\S+) (.+)\n# TYPE \S+ (\S+)$/gm)].map(
    ([, name = '', help = '', type = '']) => ({ name, help, type }),
  )
}
