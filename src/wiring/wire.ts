import { messageMetrics } from '../gateway/messages/transitions.ts'
import { creditMovementRules } from '../collections/credits/credit-movements.ts'
import { accountRules } from '../collections/accounts.ts'
import { builtIn, reservedNames } from '../collections/built-in.ts'
import { keyRules, scopeFault, type ScopeNames } from '../collections/keys.ts'
import { maintenanceRules } from '../collections/maintenance-windows.ts'
import { numberRules } from '../collections/numbers.ts'
import { optOutRules } from '../collections/opt-outs.ts'
import { priceRules } from '../collections/credits/prices.ts'
import type { Config } from '../config/config.ts'
import type { CarrierType } from '../core/ports/carrier.ts'
import { isServed, type Collection } from '../core/declaration/collection.ts'
import { metrics, type Metrics } from '../core/ports/metrics.ts'
import { countOf, type NodeRole } from '../core/ports/nodes.ts'
import type { RuleBook } from '../core/declaration/rules.ts'
import { DeclarationError, type DeclarationFault } from '../core/declaration/declaration-error.ts'
import type { OpenIdGrant } from '../core/declaration/open-id.ts'
import { catalogue } from '../engine/catalogue.ts'
import { readDeclarations } from '../engine/declaration/read-declarations.ts'
import { readVersions } from '../engine/declaration/read-versions.ts'
import { versionFaults } from '../versions/version-faults.ts'
import { broadcastRules } from '../gateway/broadcasts/broadcast-rules.ts'
import { conversationRules } from '../gateway/messages/conversation-rules.ts'
import { messageRules } from '../gateway/messages/message-rules.ts'
import type { BytesInFlight } from '../http/server/bytes-in-flight.ts'
import { processState } from '../http/pages/readiness.ts'
import type { Dependencies } from './dependencies.ts'
import { configuredLimits, wireAccess } from './wire-access.ts'
import { wireCarriers, type WiredCarriers } from './wire-carriers.ts'
import { wireMessages, type RoutingDefaults, wireRouting } from './wire-messages.ts'
import type { Membership } from '../nodes/membership.ts'
import { observedStore } from './observed-store.ts'
import { watchStore } from './watch-store.ts'
import { wireNodes } from './wire-nodes.ts'
import { notificationsName, wireRequests, type WiredRequests } from './wire-requests.ts'
import { wireWebhooks } from './wire-webhooks.ts'
import type { Version } from '../core/declaration/version.ts'
import { versions, type Versions } from '../versions/versions.ts'

/** Connected parts without a socket. Disposing releases them, except the store. */
export interface WiredApp extends AsyncDisposable, WiredRequests {
  readonly metrics: Metrics
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
export function offerOf({ declarations, versions: declared, config, oidc }: Config): Offer {
  const source = config ?? 'nuncio.config'
  const own = readDeclarations(declarations, { builtIn, reservedNames }, source)
  const { versions: read, offset } = readVersions(declared, source)
  // The versions of what every installation has come with the program.
  const faults = versionFaults(read, own).map(({ version, change, detail }) => {
    return { path: `versions[${version - offset}].changes[${change}]`, detail }
  })
  if (faults.length > 0) throw new DeclarationError(source, faults)
  const offer = { ...standardOffer, collections: [...builtIn, ...own], versions: read }
  const unknown = oidc === null ? [] : grantFaults(oidc.grants, offer)
  if (unknown.length > 0) throw new DeclarationError(source, unknown)
  return offer
}

/** A scope that names nothing would leave people without the right that the operator meant. */
function grantFaults(grants: readonly OpenIdGrant[], offer: Offer): readonly DeclarationFault[] {
  const names = scopeNames(offer, versions(offer.versions, servedIn(offer)).former)
  return grants.flatMap(({ scopes }, grant) =>
    scopes.flatMap((scope, index) => {
      const detail = scopeFault(scope, names)
      if (detail === null) return []
      return [{ path: `oidc.grants[${grant}].scopes[${index}]`, detail }]
    }),
  )
}

/** Connects all parts. */
export function wireApp(config: Config, given: Dependencies, offer: Offer): WiredApp {
  const registry = metrics()
  const counted = messageMetrics(registry)
  const dependencies = { ...given, store: observedStore(config, given, registry, counted.observe) }
  const parts = new AsyncDisposableStack()
  parts.use(watchStore(dependencies, registry))
  const told = (): string => carriers.registry.sharedState()
  const nodes: Membership = parts.use(wireNodes(config, dependencies, told, registry))
  const withMembers = { ...dependencies, members: nodes }
  const carriers: WiredCarriers = parts.use(
    wireCarriers(config, withMembers, registry, counted.opened, offer.carrierTypes),
  )
  const apis = (): number => countOf(nodes, 'api')
  const routing = wireRouting(config, dependencies, carriers.registry, apis)
  const messaging = parts.use(wireMessages(config, withMembers, carriers, routing, registry))
  const offered = versions(offer.versions, servedIn(offer))
  const webhooks = parts.use(wireWebhooks(config, withMembers, offered, registry))
  const own = wireRules(config, dependencies, routing, [offer, offered])
  const rules = { ...own, ...carriers.rules, ...webhooks.rules }
  const declared = catalogue(offer.collections)
  const { become, readiness } = processState(dependencies.store, dependencies.clock)
  const access = parts.use(wireAccess(config, dependencies, declared, offered, apis))
  const requests = wireRequests(config, dependencies, {
    edge: { ...access, versions: offered, callback: carriers.callback(messaging.report) },
    rules,
    offer: { declared, served: servedIn(offer), versions: offer.versions },
    registry,
    readiness,
  })
  const has = (role: NodeRole): boolean => config.roles.includes(role)
  return {
    ...requests,
    metrics: registry,
    inFlight: access.inFlight,
    start: async () => {
      await nodes.start()
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
  { random, store }: Dependencies,
  { defaults }: RoutingDefaults,
  [offer, { former, scopeUp }]: readonly [Offer, Versions],
): RuleBook {
  return {
    accounts: accountRules,
    'accounts/creditMovements': creditMovementRules,
    keys: keyRules(random, scopeNames(offer, former), configuredLimits(config), scopeUp),
    maintenanceWindows: maintenanceRules,
    messages: messageRules(defaults),
    conversations: conversationRules(store),
    broadcasts: broadcastRules(defaults),
    numbers: numberRules,
    optOuts: optOutRules,
    prices: priceRules,
  }
}
