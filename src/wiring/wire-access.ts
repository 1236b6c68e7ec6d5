import { keys } from '../collections/keys.ts'
import { maintenanceWindows } from '../collections/maintenance-windows.ts'
import type { AccountLimits } from '../core/declaration/account-limits.ts'
import type { Config } from '../config/config.ts'
import { credentials } from '../http/access/credentials.ts'
import { keyUsage } from '../http/access/key-usage.ts'
import { maintenance } from '../http/access/maintenance.ts'
import { rateLimit, type RequestRate } from '../http/access/rate-limit.ts'
import { bytesInFlight } from '../http/server/bytes-in-flight.ts'
import type { Edge } from '../http/routing/edge.ts'
import type { Versions } from '../versions/versions.ts'
import type { Dependencies } from './dependencies.ts'

/** The parts that decide whether a request is admitted. Disposing writes what they noted. */
export interface WiredAccess
  extends AsyncDisposable, Pick<Edge, 'authenticate' | 'limit' | 'maintenance' | 'inFlight'> {}

/** Connects what decides whether a request is admitted. */
export function wireAccess(
  config: Config,
  { store, clock, log }: Dependencies,
  { scopeUp }: Versions,
  nodes: () => number,
): WiredAccess {
  const parts = new AsyncDisposableStack()
  const usage = parts.use(keyUsage(store, keys, clock, log))
  return {
    authenticate: credentials(store, clock, usage.used, scopeUp, configuredLimits(config)),
    limit: rateLimit(rateOf(config), clock, nodes),
    maintenance: parts.use(maintenance(store, maintenanceWindows, clock, log)),
    inFlight: bytesInFlight(),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

/** Returns the limits of accounts that set none. */
export function configuredLimits(config: Config): AccountLimits {
  return {
    webhooks: config.limitWebhooks,
    keys: config.limitKeys,
    eventStreams: config.limitEventStreams,
    idempotencyBytes: config.limitIdempotencyBytes,
    waitingMessages: config.limitWaitingMessages,
    requestsPerSecond: config.limitRequestsPerSecond,
  }
}

function rateOf({ rateLimit: perSecond, rateLimitBurst: burst }: Config): RequestRate | null {
  return perSecond === 0 ? null : { perSecond, burst }
}
