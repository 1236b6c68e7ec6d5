import { simulator, simulatorId } from './carriers/simulator/simulator.ts'
import { accountRules, accounts } from './collections/accounts.ts'
import { contacts } from './collections/contacts.ts'
import { deliveries } from './collections/deliveries.ts'
import { firstStart } from './collections/first-start.ts'
import { keyRules, keys } from './collections/keys.ts'
import { finalStatuses, messages, sentStatuses } from './collections/messages.ts'
import { webhooks } from './collections/webhooks.ts'
import type { Config, StoreLocation } from './config/config.ts'
import { systemClock, type Clock } from './core/clock.ts'
import type { Collection } from './core/collection.ts'
import { typeIds, type NewId } from './core/id.ts'
import type { Log } from './core/log.ts'
import { systemRandom, type Random } from './core/random.ts'
import { StoreUnavailable, type Store } from './core/store.ts'
import { catalogue } from './engine/catalogue.ts'
import { gateway } from './gateway/gateway.ts'
import { messageRules } from './gateway/message-rules.ts'
import { cors } from './http/cors.ts'
import { credentials } from './http/credentials.ts'
import { handle, requestIds, type Handle } from './http/handle.ts'
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
export const builtIn: readonly Collection[] = [
  messages,
  contacts,
  webhooks,
  deliveries,
  keys,
  accounts,
]

/** What the parts work with. A test gives its own. */
export interface Ground {
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly newId: NewId
  readonly log: Log
}

/** The parts, joined but without a socket. Disposing lets go of them, not of the store. */
export interface Joined extends AsyncDisposable {
  readonly handle: Handle
  readonly newRequestId: () => string
  /** Starts the loops: from here on messages and notifications go their way. */
  start(): Promise<void>
  /** Says to those who ask that no requests are taken any more. */
  leave(): void
}

/** Joins the parts: the only place that knows them all. */
export function join(config: Config, ground: Ground): Joined {
  const { store, clock, random, newId, log } = ground
  const parts = new AsyncDisposableStack()
  const carriers = [parts.use(simulator({ delayMs: config.simulatorDelayMs, clock, newId, log }))]
  const messaging = parts.use(gateway({ ...ground, carriers }))
  const usage = parts.use(keyUsage(store, keys, clock, log))

  const rules = {
    accounts: accountRules,
    keys: keyRules(random),
    messages: messageRules({
      defaultSender: config.defaultSender,
      defaultCarrier: simulatorId,
      isCarrier: (id) => carriers.some((carrier) => carrier.id === id),
    }),
  }
  const collections = catalogue(builtIn)
  const views = new Map([['notifications', notifications(store, clock, notificationChoices)]])
  let state: 'starting' | 'ready' | 'stopping' = 'starting'
  const newRequestId = requestIds(Buffer.from(random.bytes(5)).toString('hex'))
  const respondTo = respond({
    engine: { store, catalogue: collections, clock, newId, rules },
    versions: versions([{ name: 'v1', changes: [] }], builtIn),
    authenticate: credentials(store, clock, usage.used),
    views,
    pages: pages(collections, [...views.keys()], () => state),
  })
  return {
    handle: cors(handle(respondTo, newRequestId, log), config.corsOrigins),
    newRequestId,
    start: async () => {
      await messaging.start()
      state = 'ready'
    },
    leave: () => {
      state = 'stopping'
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

/** What can be asked for of the notification log. */
const notificationChoices = {
  types: ['RECEIVED', 'SENT'],
  statuses: sentStatuses,
  statusesDefault: finalStatuses,
}

/**
 * Opens the store, joins the parts and listens. Throws where the store cannot be opened or the port
 * not be had; then nothing is left running.
 */
export async function startApp(config: Config, { log }: { readonly log: Log }): Promise<App> {
  const [clock, random] = [systemClock, systemRandom]
  const newId = typeIds(clock, random)
  await using opened = new AsyncDisposableStack()
  const store = opened.use(await openStore(config.store, builtIn, log))
  const adminKey = await firstStart(store, config.adminKey, { clock, random, newId })
  const joined = opened.use(join(config, { store, clock, random, newId, log }))
  const server = await serve(joined.handle, config, joined.newRequestId, log)
  opened.defer(() => server.close())
  await joined.start()

  const running = opened.move()
  return {
    url: server.url,
    adminKey,
    stop: async () => {
      joined.leave()
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
