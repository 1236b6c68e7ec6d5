import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { startApp } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config/load-config.ts'
import { receiverServer } from '../../delivery/support/receiver-server.ts'
import { ownPostgres } from '../../support/postgres/database.ts'
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts'
import { hex, installPackages, startCollector } from '../otlp/receiver.ts'

/** A service over PostgreSQL with a carrier, a webhook and a client that sends without end. */
export interface IncidentService extends AsyncDisposable {
  readonly url: string
  readonly provider: TcpProxy
  readonly postgres: TcpProxy
  refuseAtWebhook(isRefused: boolean): void
  /** Sends the message whose log and trace are shown. */
  sendTraced(): Promise<void>
  /** Returns the number of messages that were accepted. */
  accepted(): number
  /** Waits for the webhook; returns how many accepted messages it did not receive as SENT. */
  lost(): Promise<number>
  /** The log lines of that message, one of each kind. */
  linesOfTraced(): readonly string[]
  /** The log lines of the store's faults, one of each kind. */
  linesOfStore(): readonly string[]
  /** The spans of that message, in their order. */
  spansOfTraced(): readonly string[]
}

const key = `nuncio_${'administrator'.repeat(3)}`
const trace = '0af7651916cd43dd8448eb211c80319c'
const requestId = 'order-7'

/** Two messages per second. */
const sendEveryMs = 500

/** A log line as a record. */
type Line = Readonly<Record<string, unknown>>

/** Starts all of it. Throws where there is no PostgreSQL. */
export async function startIncident(): Promise<IncidentService> {
  const opened = new AsyncDisposableStack()
  installPackages()
  const collector = opened.use(await startCollector())
  const found = await ownPostgres()
  if (typeof found === 'string') throw new Error(found)
  const database = opened.use(await found.database())
  const postgres = opened.use(await startTcpProxy(new URL(database.url)))
  const network = opened.use(await receiverServer((response) => response.end('{"id":"p-1"}')))
  const provider = opened.use(await startTcpProxy(new URL(network.origin)))
  const received = new Set<string>()
  let isRefused = false
  const receiver = opened.use(
    await receiverServer((response, { body }) => {
      if (!isRefused)
        for (const { id, status } of JSON.parse(body)) if (status.type === 'SENT') received.add(id)
      response.writeHead(isRefused ? 500 : 204).end()
    }),
  )
  const lines: Line[] = []
  const app = await startApp(await configOf(postgres.url, collector.endpoint), {
    log: (level, event, fields) => {
      const line: Line = { level, time: new Date().toISOString(), event, ...fields }
      if (level !== 'debug' || JSON.stringify(line).includes(requestId)) lines.push(line)
    },
  })
  opened.defer(() => app.stop())
  const client = startClient(app.url)
  opened.defer(() => client.stop())
  await client.create('/v1/carriers/provider', carrierAt(provider.url))
  await client.create('/v1/webhooks/shop', {
    url: `${receiver.origin}/`,
    statuses: ['ACCEPTED', 'SENT'],
  })
  client.start()
  return {
    url: app.url,
    provider,
    postgres,
    refuseAtWebhook: (next) => {
      isRefused = next
    },
    sendTraced: () =>
      client.send({ 'x-request-id': requestId, traceparent: `00-${trace}-b7ad6b7169203331-01` }),
    accepted: () => client.accepted.size,
    lost: async () => {
      await client.stop()
      const missing = (): number => [...client.accepted].filter((id) => !received.has(id)).length
      for (let tries = 0; missing() > 0 && tries < 120; tries += 1) await wait(1_000)
      return missing()
    },
    linesOfTraced: () =>
      onePerKind(lines.filter((line) => JSON.stringify(line).includes(requestId))),
    linesOfStore: () =>
      onePerKind(
        lines.filter((line) =>
          /PostgreSQL|store/.test(JSON.stringify([line['event'], line['reason']])),
        ),
      ),
    spansOfTraced: () => spansOf(collector.spans),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function configOf(store: string, endpoint: string) {
  const environment = {
    NUNCIO_STORE: store,
    NUNCIO_PORT: '0',
    NUNCIO_ADMIN_KEY: key,
    NUNCIO_OTLP_ENDPOINT: endpoint,
    NUNCIO_WEBHOOK_NETWORKS: '127.0.0.0/8',
    NUNCIO_RETRY_SCHEDULE: '5,10,20',
    NUNCIO_ACCESS_LOG: 'on',
    NUNCIO_LOG: 'debug',
  }
  const loaded = await loadConfig({ flags: {}, environment, cwd: import.meta.dirname })
  return loaded.ok ? loaded.config : assert.fail(loaded.faults.join('\n'))
}

function carrierAt(url: string): object {
  return {
    name: 'Provider',
    type: 'HTTP',
    routes: [{ prefix: '' }],
    settings: {
      request: { url, json: { text: '{{body}}' } },
      answers: [{ status: ['200'], meaning: 'ACCEPTED', id: '/id' }],
    },
  }
}

/** A client that sends until it is stopped, and knows what the service accepted. */
function startClient(url: string) {
  const accepted = new Set<string>()
  const stopping = new AbortController()
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  let sending = Promise.resolve()
  const send = async (further: Readonly<Record<string, string>> = {}): Promise<void> => {
    const response = await fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: { ...headers, ...further },
      body: JSON.stringify({ to: '+4915112345678', body: 'hello' }),
    })
    const { id } = (await response.json()) as { readonly id: string }
    if (response.status === 201) accepted.add(id)
  }
  return {
    accepted,
    send,
    create: async (path: string, body: object): Promise<void> => {
      const response = await fetch(`${url}${path}`, {
        method: 'PUT',
        headers,
        body: JSON.stringify(body),
      })
      assert.equal(response.status, 200, await response.text())
    },
    start: (): void => {
      sending = (async () => {
        while (!stopping.signal.aborted) {
          await send()
          await wait(sendEveryMs)
        }
      })()
    },
    stop: async (): Promise<void> => {
      stopping.abort()
      await sending
    },
  }
}

function onePerKind(lines: readonly Line[]): readonly string[] {
  const kinds = new Map(
    lines.toReversed().map((line) => {
      const { event, outcome, status, kind } = line
      return [[event, outcome, status, kind].join(' '), line] as const
    }),
  )
  return [...kinds.values()].toReversed().map((line) => JSON.stringify(line))
}

/** Describes the spans of the trace; those of one kind and outcome that follow each other are one line. */
function spansOf(spans: Awaited<ReturnType<typeof startCollector>>['spans']): readonly string[] {
  return spans
    .filter((span) => hex(span.traceId) === trace)
    .toSorted((a, b) => Number(a.startTimeUnixNano) - Number(b.startTimeUnixNano))
    .map((span) => {
      const milliseconds = (Number(span.endTimeUnixNano) - Number(span.startTimeUnixNano)) / 1e6
      const start = new Date(Number(span.startTimeUnixNano) / 1e6).toISOString()
      const outcome = span.attributes.map(
        (each: { key: string; value: object }) => `${each.key}=${Object.values(each.value)}`,
      )
      return `${start} ${span.name} ${milliseconds.toFixed(0)} ms ${outcome.join(' ')} ${span.status?.message ?? ''}`
    })
}
