import { simulator, simulatorId } from './carriers/simulator/simulator.ts'
import { accountRules, accounts } from './collections/accounts.ts'
import { contacts } from './collections/contacts.ts'
import { deliveries } from './collections/deliveries.ts'
import { firstStart } from './collections/first-start.ts'
import { keyRules, keys } from './collections/keys.ts'
import { finalStatuses, messages, sentStatuses } from './collections/messages.ts'
import { webhooks } from './collections/webhooks.ts'
import type { Config, StoreLocation } from './config/config.ts'
import { systemClock } from './core/clock.ts'
import type { Collection } from './core/collection.ts'
import { typeIds } from './core/id.ts'
import type { Log } from './core/log.ts'
import { systemRandom } from './core/random.ts'
import { StoreUnavailable, type Store } from './core/store.ts'
import { catalogue } from './engine/catalogue.ts'
import { gateway } from './gateway/gateway.ts'
import { messageRules } from './gateway/message-rules.ts'
import { credentials } from './http/credentials.ts'
import { handle, requestIds } from './http/handle.ts'
import { keyUsage } from './http/key-usage.ts'
import { notifications } from './http/notifications.ts'
import { pages } from './http/pages.ts'
import { respond } from './http/respond.ts'
import { serve } from './http/server.ts'
import { memoryStore } from './stores/memory/memory-store.ts'
import { sqliteStore } from './stores/sqlite/sqlite-store.ts'
import { versions } from './versions/versions.ts'

/** The service, running. */
export interface App {
  /** Where it listens, without a slash at the end. */
  readonly url: string
  /** The secret of the administrator's key, only when it was made at this start. */
  readonly adminKey: string | null
  /** Finishes what is in flight and lets go of everything. */
  stop(): Promise<void>
}

/** The collections that every installation has. */
const builtIn: readonly Collection[] = [messages, contacts, webhooks, deliveries, keys, accounts]

/**
 * Joins the parts and starts them. Throws where the store cannot be opened or the port not be had;
 * then nothing is left running.
 */
export async function startApp(config: Config, { log }: { readonly log: Log }): Promise<App> {
  const [clock, random] = [systemClock, systemRandom]
  const newId = typeIds(clock, random)
  await using parts = new AsyncDisposableStack()

  const store = parts.use(await openStore(config.store, builtIn, log))
  const adminKey = await firstStart(store, config.adminKey, { clock, random, newId })
  const carriers = [parts.use(simulator({ delayMs: config.simulatorDelayMs, clock, newId, log }))]
  const messaging = parts.use(gateway({ store, carriers, clock, random, newId, log }))

  const rules = {
    accounts: accountRules,
    keys: keyRules(random),
    messages: messageRules({
      defaultSender: config.defaultSender,
      defaultCarrier: simulatorId,
      isCarrier: (id) => carriers.some((carrier) => carrier.id === id),
    }),
  }
  const offered = versions([{ name: 'v1', changes: [] }], builtIn)
  const collections = catalogue(builtIn)
  const engine = { store, catalogue: collections, clock, newId, rules }
  const choices = {
    types: ['RECEIVED', 'SENT'],
    statuses: sentStatuses,
    statusesDefault: finalStatuses,
  }
  const views = new Map([['notifications', notifications(store, clock, choices)]])

  let state: 'starting' | 'ready' | 'stopping' = 'starting'
  const usage = parts.use(keyUsage(store, keys, clock, log))
  const newRequestId = requestIds(Buffer.from(random.bytes(5)).toString('hex'))
  const respondTo = respond({
    engine,
    versions: offered,
    authenticate: credentials(store, clock, usage.used),
    views,
    pages: pages(collections, [...views.keys()], () => state),
  })
  const answer = handle(respondTo, newRequestId, log)
  const server = await serve(answer, config, newRequestId, log)
  parts.defer(() => server.close())
  await messaging.start()
  state = 'ready'

  const running = parts.move()
  return {
    url: server.url,
    adminKey,
    stop: async () => {
      state = 'stopping'
      await running.disposeAsync()
    },
  }
}

function openStore(
  location: StoreLocation,
  collections: readonly Collection[],
  log: Log,
): Promise<Store> {
  switch (location.kind) {
    case 'sqlite':
      return sqliteStore(location.file, collections, log)
    case 'memory':
      return Promise.resolve(memoryStore(collections, log))
    case 'postgres':
      throw new StoreUnavailable('PostgreSQL is not supported by this version. Use sqlite:<path>.')
  }
}
