import { firstStart } from './collections/first-start.ts'
import type { Config } from './config/config.ts'
import { systemClock } from './core/ports/clock.ts'
import { type Collection, qualifiedName } from './core/declaration/collection.ts'
import { typeIds } from './core/id.ts'
import type { Log } from './core/ports/log.ts'
import { systemRandom } from './core/ports/random.ts'
import type { Store } from './core/ports/store.ts'
import { egressGuard, portOf } from './delivery/egress/guard.ts'
import { isOwnAddress, networks } from './delivery/egress/networks.ts'
import { systemLookup } from './delivery/egress/connect.ts'
import { serve } from './http/server/server.ts'
import { secretCipher } from './stores/secret-cipher.ts'
import { sqliteStore } from './stores/sqlite/sqlite-store.ts'
import { bundledLog } from './wiring/bundled-log.ts'
import { type Offer, wireApp, offerOf } from './wiring/wire.ts'
import { httpClients } from './wiring/http-clients.ts'

/** The service, running. */
export interface App {
  /** Address that the service listens on, without a slash at the end. */
  readonly url: string
  /** The secret of the administrator's key, only when it was made at this start. */
  readonly adminKey: string | null
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
  const dependencies = { store, clock, random, newId, log, guard, post, carrierGuard, send }
  const wired = opened.use(wireApp(config, dependencies, offer))
  const server = await serve(wired.handle, config, {
    newRequestId: wired.newRequestId,
    inFlight: wired.inFlight,
    clock,
  })
  opened.defer(() => server.close())
  listening.port = portOf(new URL(server.url))
  // Only now: a key that is made by a start that fails would never be shown.
  const adminKey = await firstStart(store, config.adminKey, { clock, random, newId })
  await wired.start()

  const running = opened.move()
  return {
    url: server.url,
    adminKey,
    stop: async () => {
      wired.leave()
      await running.disposeAsync()
    },
  }
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
