import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config/load-config.ts'

/** The labels of each metric, and what they mean beyond their names. */
const labels: Readonly<Record<string, string>> = {
  process_start_time_seconds: '',
  process_uptime_seconds: '',
  process_memory_usage_bytes: '',
  process_cpu_time_seconds_total: '`cpu_mode`: user, system',
  v8js_memory_heap_used_bytes: '`v8js_heap_space_name`',
  nodejs_eventloop_delay_p50_seconds: '',
  nodejs_eventloop_delay_p99_seconds: '',
  nodejs_eventloop_delay_max_seconds: '',
  nodejs_eventloop_utilization_ratio: '',
  nuncio_build_info: '`version`, `node`, `store`',
  nuncio_clock_ahead_seconds: '',
  db_client_operation_duration_seconds:
    '`db_operation_name`: commit, page, count; `db_system_name`: sqlite, postgresql',
  db_client_connection_count:
    '`db_client_connection_pool_name`: writes, reads, loops, queries; `db_client_connection_state`: used',
  db_client_connection_max: '`db_client_connection_pool_name`',
  db_client_connection_pending_requests: '`db_client_connection_pool_name`',
  nuncio_store_data_bytes: '',
  nuncio_store_wal_bytes: '',
  nuncio_store_disk_free_bytes: '',
  nuncio_store_disk_size_bytes: '',
  nuncio_messages_total: '`status`: its type; `carrier`: empty if none served it',
  nuncio_message_parts_total: '`carrier`',
  nuncio_message_submit_duration_seconds: '`carrier`',
  nuncio_message_receipt_duration_seconds: '`carrier`',
  nuncio_submissions_retried_total: '`carrier`; `reason`: BUSY, UNCERTAIN',
  nuncio_broadcasts_in_progress: '',
  nuncio_http_connections: '',
  nuncio_store_delaying_transaction_seconds: '',
  nuncio_credits_moved_total: '`kind`: RESERVED, RETURNED, CHANGED, TOP_UP, WITHDRAWAL',
  nuncio_credits_refused_total: '',
  nuncio_carrier_parts_total:
    '`carrier`; `status`: of SMPP the `command_status`, of HTTP the meaning of the response, or UNANSWERED',
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
  http_server_active_requests: '',
  http_server_request_duration_seconds: '`http_request_method`, `http_response_status_code`',
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
