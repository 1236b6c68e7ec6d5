import { firstStart } from './collections/first-start.ts'
import { newSignInCode } from './collections/sessions/sign-in-codes.ts'
import type { Config } from './config/config.ts'
import { isLoopback } from './config/loopback.ts'
import { systemClock } from './core/ports/clock.ts'
import { type Collection, qualifiedName } from './core/declaration/collection.ts'
import { typeIds } from './core/id.ts'
import type { Log } from './core/ports/log.ts'
import { systemRandom } from './core/ports/random.ts'
import type { Store } from './core/ports/store.ts'
import {
  egressGuard,
  portOf,
  isOwnAddress,
  networks,
  systemLookup,
} from './delivery/egress/guard.ts'
import type { Handle } from './http/server/handle.ts'
import { serve, type ServerDependencies } from './http/server/server.ts'
import { secretCipher } from './stores/secret-cipher.ts'
import { sqliteStore } from './stores/sqlite/sqlite-store.ts'
import { bundledLog } from './wiring/bundled-log.ts'
import type { Telemetry } from './wiring/telemetry/open-telemetry.ts'
import { type Offer, wireApp, offerOf } from './wiring/wire.ts'
import { measureProcess } from './wiring/process-metrics.ts'
import { httpClients } from './wiring/http-clients.ts'

/** The service, running. */
export interface App {
  /** Address that the service listens on, without a slash at the end. */
  readonly url: string
  /** The separate address for health and metrics, if there is one. */
  readonly metricsUrl: string | null
  /** The secret of the administrator's key, only when it was made at this start. */
  readonly adminKey: string | null
  /** Creates a code that signs a browser in; null if this node has no console, or others can reach it. */
  signInCode(): Promise<string | null>
  /** Finishes the requests in flight and releases all resources. */
  stop(): Promise<void>
}

/**
 * Opens the store, connects the parts and listens. Throws if the store or the port is not
 * available, after releasing everything.
 */
export async function startApp(config: Config, given: { readonly log: Log }): Promise<App> {
  const offer = offerOf(config)
  const [clock, random] = [systemClock, systemRandom]
  const log = bundledLog(given.log, clock)
  const newId = typeIds(clock, random)
  await using opened = new AsyncDisposableStack()
  const store = opened.use(await openStore(config, indexedCollections(offer, config), log))
  const listening: { port: number | null } = { port: null }
  const own = { port: () => listening.port, has: isOwnAddress }
  const guard = egressGuard(networks(config.webhookNetworks), own)
  const carrierGuard = egressGuard(networks(config.carrierNetworks), own)
  const { post, send } = opened.use(
    httpClients({ guard, carrierGuard, lookup: systemLookup, clock }),
  )
  const telemetry = await telemetryOf(config)
  if (telemetry !== null) opened.use(telemetry)
  const tracing = telemetry?.tracing
  const ways = { guard, post, carrierGuard, send }
  const dependencies = { store, clock, random, newId, log, tracing, ...ways }
  const wired = opened.use(wireApp(config, dependencies, offer))
  const { newRequestId, inFlight, operatorHandle } = wired
  const serving = { newRequestId, inFlight, clock, isProxy: networks(config.trustedProxies).has }
  const server = await serve(wired.handle, config, serving)
  opened.defer(() => server.close())
  wired.metrics.gauge('nuncio_http_connections', 'Open connections of clients.', () => [
    { labels: {}, value: server.connections() },
  ])
  opened.use(measureProcess(wired.metrics, clock, config.store.kind))
  telemetry?.measure(wired.metrics)
  const metricsUrl = await serveMetrics(operatorHandle, config, serving, opened)
  listening.port = portOf(new URL(server.url))
  // Only now: a key that is made by a start that fails would never be shown.
  const adminKey = await firstStart(store, config.adminKey, { clock, random, newId })
  await wired.start()

  const running = opened.move()
  return {
    url: server.url,
    metricsUrl,
    adminKey,
    signInCode: async () => {
      if (!isLoopback(config.host) || !config.roles.includes('api')) return null
      return newSignInCode(store, { clock, random, newId })
    },
    stop: async () => {
      wired.leave()
      await running.disposeAsync()
    },
  }
}

/** Opens the exporters of spans and metrics, if there is a collector. They are loaded only then. */
async function telemetryOf({ otlpEndpoint }: Config): Promise<Telemetry | null> {
  if (otlpEndpoint === null) return null
  const { openTelemetry } = await import('./wiring/telemetry/open-telemetry.ts')
  return openTelemetry(otlpEndpoint, systemClock)
}

/** Connections to the address for metrics: a handful of programs read them. */
const metricsConnectionsMax = 50

/** Listens on the separate address for health and metrics, if there is one; returns it. */
async function serveMetrics(
  handle: Handle,
  { metricsAddress }: Config,
  dependencies: ServerDependencies,
  opened: AsyncDisposableStack,
): Promise<string | null> {
  if (metricsAddress === null) return null
  const address = { ...metricsAddress, maxConnections: metricsConnectionsMax }
  const server = await serve(handle, address, dependencies)
  opened.defer(() => server.close())
  return server.url
}

/** Returns the collections as the store keeps them, with the indexes that settings ask for. */
function indexedCollections(
  { collections }: Offer,
  { searchIndexes }: Config,
): readonly Collection[] {
  return collections.map((declared) =>
    searchIndexes.includes(qualifiedName(declared)) ? { ...declared, searchIndex: true } : declared,
  )
}

async function openStore(
  { store: location, secretKey }: Config,
  collections: readonly Collection[],
  log: Log,
): Promise<Store> {
  const cipher = secretCipher(secretKey ?? [])
  switch (location.kind) {
    case 'sqlite':
      return sqliteStore(location.file, collections, log, { cipher })
    // Load only the store that is used.
    case 'memory': {
      const { temporaryStore } = await import('./stores/sqlite/temporary-store.ts')
      return temporaryStore(collections, log, { cipher })
    }
    case 'postgres': {
      const { postgresStore } = await import('./stores/postgres/postgres-store.ts')
      return postgresStore(location.url, collections, log, { cipher })
    }
  }
}
