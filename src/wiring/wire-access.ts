import { accounts } from '../collections/accounts.ts'
import { auditEvents } from '../collections/audit-events.ts'
import { keys } from '../collections/keys.ts'
import { sessions } from '../collections/sessions/sessions.ts'
import { codeDigest, signInCodes } from '../collections/sessions/sign-in-codes.ts'
import { maintenanceWindows } from '../collections/maintenance-windows.ts'
import type { AccountLimits } from '../core/account-limits.ts'
import type { Config } from '../config/config.ts'
import type { Principal } from '../core/declaration/rules.ts'
import type { Catalogue } from '../engine/catalogue.ts'
import { networks } from '../delivery/egress/guard.ts'
import { clientAddresses } from '../http/access/client-address.ts'
import { failureThrottle } from '../http/access/faults-by-address.ts'
import { recordRefusals } from '../http/access/refusals.ts'
import type { NoteRefusal } from '../http/server/handle.ts'
import type { RequestHead } from '../http/server/request.ts'
import { credentialReader, credentials } from '../http/access/credentials.ts'
import { noteUses } from '../http/access/note-uses.ts'
import { maintenance } from '../http/access/maintenance.ts'
import { rateLimit, type RequestRate } from '../http/access/rate-limit.ts'
import { sessionFinder } from '../http/sessions/find-session.ts'
import { readSecret } from '../http/notifications/cursor-codec.ts'
import { noOpenIdSignIn, openIdSignIn } from '../http/sessions/open-id/open-id-sign-in.ts'
import { signIn } from '../http/sessions/sign-in.ts'
import { bytesInFlight } from '../http/server/bytes-in-flight.ts'
import type { Edge } from '../http/routing/edge.ts'
import type { Versions } from '../versions/versions.ts'
import type { Dependencies } from './dependencies.ts'

/** The parts that decide whether a request is admitted. Disposing writes what they noted. */
export interface WiredAccess
  extends
    AsyncDisposable,
    Pick<
      Edge,
      'authenticate' | 'clientAddress' | 'limit' | 'maintenance' | 'inFlight' | 'signIn' | 'openId'
    > {
  /** Notes a request that got 401 or 403. */
  readonly refused: NoteRefusal
}

/** Connects what decides whether a request is admitted. */
export function wireAccess(
  config: Config,
  { store, clock, random, log, newId }: Dependencies,
  catalogue: Catalogue,
  { scopeUp }: Versions,
  nodes: () => number,
): WiredAccess {
  const parts = new AsyncDisposableStack()
  const usage = parts.use(noteUses(store, keys, clock, log))
  const sessionUsage = parts.use(noteUses(store, sessions, clock, log))
  const trusted = networks(config.trustedProxies)
  const addressOf = clientAddresses(trusted.has)
  const clients = { addressOf, throttle: failureThrottle(clock, log) }
  const limits = configuredLimits(config)
  const read = credentialReader(scopeUp, limits)
  const collections = { sessions, keys, accounts, signInCodes }
  const findSession = sessionFinder({ store, clock, collections }, sessionUsage.used, read)
  const authenticate = credentials(store, clock, usage.used, read, clients, findSession)
  const principalOf = async (request: RequestHead): Promise<Principal | null> => {
    try {
      return await authenticate(request)
    } catch {
      return null
    }
  }
  const refusalParts = { store, clock, newId, log, addressOf, principalOf }
  const refusals = parts.use(recordRefusals(auditEvents, refusalParts))
  const secret = (): Promise<string> => readSecret(store, accounts)
  const atProvider = { refused: refusals.note, log, fetch, secret }
  const signingIn = { store, clock, newId, random, catalogue, collections, ...clients }
  return {
    authenticate,
    clientAddress: addressOf,
    signIn: signIn(signingIn, codeDigest),
    openId:
      config.oidc === null ? noOpenIdSignIn : openIdSignIn(config.oidc, signingIn, atProvider),
    refused: refusals.note,
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
