import { fileURLToPath } from 'node:url'
import { accounts } from '../collections/accounts.ts'
import { finalStatuses, sentStatuses } from '../collections/messages.ts'
import type { Config } from '../config/config.ts'
import type { Collection } from '../core/declaration/collection.ts'
import { largePages, type MakePage } from '../engine/large-pages.ts'
import type { RuleBook } from '../core/declaration/rules.ts'
import type { Version } from '../core/declaration/version.ts'
import type { CarrierType } from '../core/ports/carrier.ts'
import type { Metrics } from '../core/ports/metrics.ts'
import { alertTypes } from '../core/ports/notification-log.ts'
import { usageEstimate } from '../core/account-limits.ts'
import type { Catalogue } from '../engine/catalogue.ts'
import type { ClientAddress } from '../http/access/client-address.ts'
import { consolePage } from '../http/pages/console-page.ts'
import { cursorCodecs } from '../http/notifications/cursor-codec.ts'
import { notifications } from '../http/notifications/notifications.ts'
import {
  onlyOperatorPages,
  onlyPages,
  pages,
  withoutMetrics,
  type Documents,
} from '../http/pages/pages.ts'
import type { Readiness } from '../http/pages/readiness.ts'
import type { Edge, View } from '../http/routing/edge.ts'
import { respond } from '../http/routing/respond.ts'
import { accessLog, measureRequests, observeAll } from '../http/server/observe-requests.ts'
import type { BytesInFlight } from '../http/server/bytes-in-flight.ts'
import { cors } from '../http/server/cors.ts'
import {
  handle,
  requestIds,
  type Handle,
  type NoteRefusal,
  type Observe,
  type Respond,
} from '../http/server/handle.ts'
import type { Dependencies } from './dependencies.ts'
import { carrierTypes } from './wire-carriers.ts'

/** The handlers of requests. */
export interface WiredRequests {
  readonly handle: Handle
  /** Serves health and metrics alone. */
  readonly operatorHandle: Handle
  readonly newRequestId: () => string
}

/** The collections and versions of an installation. */
interface ServedOffer {
  readonly declared: Catalogue
  /** The collections that clients reach. */
  readonly served: readonly Collection[]
  readonly versions: readonly Version[]
}

/** Dependencies of the request handlers. */
interface RequestParts {
  readonly edge: Omit<Edge, 'engine' | 'pages' | 'views' | 'console'> & {
    readonly refused: NoteRefusal
  }
  readonly rules: RuleBook
  readonly offer: ServedOffer
  readonly registry: Metrics
  readonly readiness: Readiness
}

/** Connects what answers requests. */
export function wireRequests(
  config: Config,
  dependencies: Dependencies,
  given: RequestParts,
): WiredRequests {
  const { random, log, tracing } = dependencies
  const { registry, edge } = given
  const newRequestId = requestIds(random)
  const responders = respondersOf(config, dependencies, given)
  const observe = requestObserver(config, dependencies, registry, edge.clientAddress)
  const handler = handle(responders.open, newRequestId, log, observe, edge.refused, tracing)
  return {
    handle: cors(handler, config.corsOrigins),
    operatorHandle: handle(responders.operator, newRequestId, log),
    newRequestId,
  }
}

/** The responders of the two addresses. */
interface Responders {
  /** All routes, or pages alone if this node lacks the role api. */
  readonly open: Respond
  /** Health and metrics alone. */
  readonly operator: Respond
}

function respondersOf(config: Config, dependencies: Dependencies, given: RequestParts): Responders {
  const { roles, queryTimeoutMs, metricsAddress, oidc } = config
  const { edge, rules, registry, readiness } = given
  const { inFlight } = edge
  const makePage = largePages(inFlight.checkRoom)
  const views = viewsOf(dependencies, { makePage, inFlight })
  const { declared } = given.offer
  const shown = pages({
    catalogue: declared,
    versions: edge.versions,
    views: [...views.keys()],
    readiness,
    metrics: registry,
    documents: lazyDocuments(given.offer, () => carrierTypes(config, dependencies)),
    hasOpenId: oidc !== null,
    referenceBundle: new URL('../../vendor/scalar/reference.js.br', import.meta.url),
  })
  const operator = onlyOperatorPages(shown)
  const ofClients = metricsAddress === null ? shown : withoutMetrics(shown)
  if (!roles.includes('api')) return { open: onlyPages(ofClients), operator }
  const { store, clock, newId } = dependencies
  const idempotencyUse = usageEstimate('idempotentResponses', 'idempotencyBytes', dependencies)
  const own = { catalogue: declared, rules, makePage, queryTimeoutMs, idempotencyUse }
  const engine = { store, clock, newId, ...own }
  const site = { pages: ofClients, console: consolePage(consoleFolder) }
  return { open: respond({ ...edge, engine, views, ...site }), operator }
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

/** The view of notifications, and the scope that reading them takes. */
export const notificationsName = 'notifications'

/** Read-only views besides the collections. */
function viewsOf(
  { store, clock, random }: Dependencies,
  memory: { readonly makePage: MakePage; readonly inFlight: BytesInFlight },
): ReadonlyMap<string, View> {
  const places = cursorCodecs(store, accounts, random)
  return new Map([
    [notificationsName, notifications(store, places, clock, notificationChoices, memory)],
  ])
}

/** Builds the documents about the interface on the first request for them. */
function lazyDocuments(
  { served, versions }: ServedOffer,
  types: () => readonly CarrierType[],
): () => Promise<Documents> {
  let made: Promise<Documents> | null = null
  return () => (made ??= load())

  async function load(): Promise<Documents> {
    const { wireDocuments } = await import('./wire-documents.ts')
    return wireDocuments(served, versions, notificationChoices, types())
  }
}

function requestObserver(
  { accessLog: isLogged }: Config,
  { clock, log }: Dependencies,
  registry: Metrics,
  clientAddress: ClientAddress,
): Observe {
  const measure = measureRequests(registry, clock)
  return isLogged === 'on' ? observeAll([measure, accessLog(log, clock, clientAddress)]) : measure
}
