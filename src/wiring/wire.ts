import { fileURLToPath } from 'node:url'
import { accountRules, accounts } from '../collections/accounts.ts'
import { builtIn, reservedNames } from '../collections/built-in.ts'
import { countingCredits } from '../collections/credits/credit-book.ts'
import { creditMovementRules } from '../collections/credits/credit-movement-rules.ts'
import { keyRules, type ScopeNames } from '../collections/keys.ts'
import { maintenanceRules } from '../collections/maintenance-windows.ts'
import { finalStatuses, sentStatuses } from '../collections/messages.ts'
import { numberRules } from '../collections/numbers.ts'
import { optOutRules } from '../collections/opt-outs.ts'
import { priceRules } from '../collections/credits/prices.ts'
import type { Config } from '../config/config.ts'
import { type Clock } from '../core/ports/clock.ts'
import type { CarrierType } from '../core/ports/carrier.ts'
import { isServed, type Collection } from '../core/declaration/collection.ts'
import { largePages, type MakePage } from '../core/declaration/large-pages.ts'
import { metrics, type Metrics } from '../core/ports/metrics.ts'
import { alertTypes } from '../core/ports/notification-log.ts'
import { countOf, type NodeRole } from '../core/ports/nodes.ts'
import type { Store } from '../core/ports/store.ts'
import type { RuleBook } from '../core/declaration/rules.ts'
import { usageEstimate } from '../core/usage-estimate.ts'
import { catalogue } from '../engine/catalogue.ts'
import { DeclarationError } from '../core/declaration/declaration-error.ts'
import { readDeclarations } from '../engine/declaration/read-declarations.ts'
import { readVersions } from '../engine/declaration/read-versions.ts'
import { versionFaults } from '../versions/version-faults.ts'
import { broadcastRules } from '../gateway/broadcasts/broadcast-rules.ts'
import { messageRules } from '../gateway/messages/message-rules.ts'
import type { BytesInFlight } from '../http/server/bytes-in-flight.ts'
import { cors } from '../http/server/cors.ts'
import { handle, requestIds, type Handle, type Respond } from '../http/server/handle.ts'
import { measureRequests } from '../http/server/measured-requests.ts'
import { consolePage } from '../http/pages/console-page.ts'
import { notifications } from '../http/notifications/notifications.ts'
import { onlyPages, pages, type Documents } from '../http/pages/pages.ts'
import { processState, type Readiness } from '../http/pages/readiness.ts'
import type { Edge, View } from '../http/routing/edge.ts'
import { respond } from '../http/routing/respond.ts'
import { cursorCodecs } from '../http/notifications/cursor-codec.ts'
import type { Dependencies } from './dependencies.ts'
import { configuredLimits, wireAccess } from './wire-access.ts'
import { wireCarriers, type WiredCarriers } from './wire-carriers.ts'
import { wireMessages, type RoutingDefaults, wireRouting } from './wire-messages.ts'
import type { Membership } from '../nodes/membership.ts'
import { measuredStore } from './measured-store.ts'
import { watchStore } from './watch-store.ts'
import { wireNodes } from './wire-nodes.ts'
import { wireWebhooks } from './wire-webhooks.ts'
import type { Version } from '../core/declaration/version.ts'
import { versions, type Versions } from '../versions/versions.ts'

/** Connected parts without a socket. Disposing releases them, except the store. */
export interface WiredApp extends AsyncDisposable {
  readonly handle: Handle
  readonly newRequestId: () => string
  readonly inFlight: BytesInFlight
  /** Starts the loops, which send messages and notifications. */
  start(): Promise<void>
  /** Reports on /health/ready from now on that the service stops. */
  leave(): void
}

/** Collections of the newest version, and the versions. */
export interface Offer {
  readonly collections: readonly Collection[]
  readonly versions: readonly Version[]
  /** Kinds of carriers, before those that every installation has. */
  readonly carrierTypes?: readonly CarrierType[]
}

/** Offer of every installation. */
export const standardOffer: Offer = {
  collections: builtIn,
  versions: [{ name: 'v1', changes: [] }],
}

/**
 * Returns the offer of an installation: the standard one with the collections and versions that its
 * operator declares. Throws a `DeclarationError`.
 */
export function offerOf({ declarations, versions: declared, config }: Config): Offer {
  const source = config ?? 'nuncio.config'
  const own = readDeclarations(declarations, { builtIn, reservedNames }, source)
  const { versions: read, offset } = readVersions(declared, source)
  // The versions of what every installation has come with the program.
  const faults = versionFaults(read, own).map(({ version, change, detail }) => {
    return { path: `versions[${version - offset}].changes[${change}]`, detail }
  })
  if (faults.length > 0) throw new DeclarationError(source, faults)
  return { ...standardOffer, collections: [...builtIn, ...own], versions: read }
}

/** Connects all parts. */
export function wireApp(config: Config, given: Dependencies, offer: Offer): WiredApp {
  const registry = processMetrics(given.clock)
  const dependencies = { ...given, store: measured(given, registry) }
  const { store, clock, random, log } = dependencies
  const parts = new AsyncDisposableStack()
  parts.use(watchStore(dependencies, registry))
  const told = (): string => carriers.registry.sharedState()
  const nodes: Membership = parts.use(wireNodes(config, dependencies, told, registry))
  const withMembers = { ...dependencies, members: nodes }
  const carriers: WiredCarriers = parts.use(
    wireCarriers(config, withMembers, registry, offer.carrierTypes),
  )
  const apis = (): number => countOf(nodes, 'api')
  const routing = wireRouting(config, dependencies, carriers.registry, apis)
  const messaging = parts.use(wireMessages(config, withMembers, carriers, routing, registry))
  const offered = versions(offer.versions, servedIn(offer))
  const webhooks = parts.use(wireWebhooks(config, withMembers, offered, registry))
  const own = wireRules(config, dependencies, routing, [offer, offered])
  const rules = { ...own, ...carriers.rules, ...webhooks.rules }
  const { become, readiness } = processState(store, clock)
  const newRequestId = requestIds(random)
  const access = parts.use(
    wireAccess(config, dependencies, catalogue(offer.collections), offered, apis),
  )
  const edge = { ...access, versions: offered, callback: carriers.callback(messaging.report) }
  const responder = responderOf(config, dependencies, { edge, rules, offer, registry, readiness })
  const has = (role: NodeRole): boolean => config.roles.includes(role)
  const observe = measureRequests(registry, clock)
  const handler = handle(responder, newRequestId, log, observe, access.refused)
  return {
    handle: cors(handler, config.corsOrigins),
    newRequestId,
    inFlight: access.inFlight,
    start: async () => {
      await nodes.start()
      access.start()
      await access.maintenance.refresh()
      await carriers.declare(rules)
      await (has('submit') ? messaging.start() : carriers.registry.start(async () => {}))
      if (has('deliver')) webhooks.start()
      become('ready')
    },
    leave: () => {
      become('stopping')
      webhooks.leave()
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

function measured(given: Dependencies, registry: Metrics): Store {
  return countingCredits(measuredStore(given, registry), registry)
}

/** Returns the request handler: all routes, or pages alone if this node lacks the role api. */
function responderOf(
  { roles, queryTimeoutMs }: Config,
  dependencies: Dependencies,
  given: {
    readonly edge: Omit<Edge, 'engine' | 'pages' | 'views' | 'console'>
    readonly rules: RuleBook
    readonly offer: Offer
    readonly registry: Metrics
    readonly readiness: Readiness
  },
): Respond {
  const { edge, rules, offer, registry, readiness } = given
  const makePage = largePages()
  const views = viewsOf(dependencies, makePage)
  const collections = catalogue(offer.collections)
  const shown = pages({
    catalogue: collections,
    versions: edge.versions,
    views: [...views.keys()],
    readiness,
    metrics: registry,
    documents: lazyDocuments(offer),
    referenceBundle: new URL('../../vendor/scalar/reference.js.br', import.meta.url),
  })
  if (!roles.includes('api')) return onlyPages(shown)
  const { store, clock, newId } = dependencies
  const idempotencyUse = usageEstimate('idempotentResponses', 'idempotencyBytes', dependencies)
  const own = { catalogue: collections, rules, makePage, queryTimeoutMs, idempotencyUse }
  const site = { pages: shown, console: consolePage(consoleFolder) }
  return respond({ ...edge, engine: { store, clock, newId, ...own }, views, ...site })
}

/** The built console. */
const consoleFolder = fileURLToPath(new URL('../../console/dist', import.meta.url))

/** Values that notification requests can ask for. */
const notificationChoices = {
  types: ['RECEIVED', 'SENT', ...alertTypes],
  typesDefault: ['RECEIVED', 'SENT'],
  statuses: sentStatuses,
  statusesDefault: finalStatuses,
}

/** Also the scope that reading them takes. */
const notificationsName = 'notifications'

/** Read-only views besides the collections. */
function viewsOf(
  { store, clock, random }: Dependencies,
  makePage: MakePage,
): ReadonlyMap<string, View> {
  const places = cursorCodecs(store, accounts, random)
  return new Map([
    [notificationsName, notifications(store, places, clock, notificationChoices, makePage)],
  ])
}

/** Returns the names that scopes can use, former names of collections included. */
function scopeNames(offer: Offer, former: Iterable<string>): ScopeNames {
  const roots = servedIn(offer).filter(({ parent }) => parent === null)
  const collections = [...roots.map(({ name }) => name), ...former]
  return { collections, onlyRead: [notificationsName] }
}

/** The collections that clients reach. */
function servedIn({ collections }: Offer): readonly Collection[] {
  return collections.filter(isServed)
}

/** Rules of the collections that have some. */
function wireRules(
  config: Config,
  { random }: Dependencies,
  { defaults }: RoutingDefaults,
  [offer, { former, scopeUp }]: readonly [Offer, Versions],
): RuleBook {
  return {
    accounts: accountRules,
    'accounts/creditMovements': creditMovementRules,
    keys: keyRules(random, scopeNames(offer, former), configuredLimits(config), scopeUp),
    maintenanceWindows: maintenanceRules,
    messages: messageRules(defaults),
    broadcasts: broadcastRules(defaults),
    numbers: numberRules,
    optOuts: optOutRules,
    prices: priceRules,
  }
}

/** Builds the documents about the interface on the first request for them. */
function lazyDocuments(offer: Offer): () => Promise<Documents> {
  let made: Promise<Documents> | null = null
  return () => (made ??= load())

  async function load(): Promise<Documents> {
    const { wireDocuments } = await import('./wire-documents.ts')
    return wireDocuments(servedIn(offer), offer.versions, notificationChoices)
  }
}

/** The metrics of this process, with what it itself takes. */
function processMetrics(clock: Clock): Metrics {
  const registry = metrics()
  const began = clock.monotonic()
  registry.gauge('nuncio_uptime_seconds', 'Time since the start.', () => [
    { labels: {}, value: (clock.monotonic() - began) / 1000 },
  ])
  registry.gauge('process_resident_memory_bytes', 'Resident memory.', () => [
    { labels: {}, value: process.memoryUsage.rss() },
  ])
  return registry
}
