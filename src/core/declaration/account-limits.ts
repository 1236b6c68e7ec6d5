import type { Writer } from '../ports/store.ts'
import type { Collection } from './collection.ts'
import { Problem } from '../problem.ts'

/** The limits of an account; 0 requests per second mean no limit. */
export interface AccountLimits {
  readonly webhooks: number
  readonly keys: number
  /** Event streams that are open at a time, per node. */
  readonly eventStreams: number
  /** Octets of the stored responses to requests with an `Idempotency-Key`. */
  readonly idempotencyBytes: number
  /** Messages that no carrier has taken yet. */
  readonly waitingMessages: number
  readonly requestsPerSecond: number
}

/** The name of a limit, as in the field `limits` of an account. */
export type AccountLimitName = keyof AccountLimits

/** The limits that an account sets itself; null means the configured one. */
export type OwnLimits = { readonly [K in AccountLimitName]?: number | null } | null

/** Returns the limits of an account. */
export function limitsOf(own: OwnLimits | undefined, configured: AccountLimits): AccountLimits {
  if (own === null || own === undefined) return configured
  const given = Object.entries(own).filter(([, value]) => value !== null)
  return { ...configured, ...Object.fromEntries(given) }
}

/** Creates the problem for an account that is at a limit. */
export function limitReached(limit: AccountLimitName, maximum: number): Problem {
  const detail = `The account is at its limit ${limit} of ${maximum}. The operator can raise it.`
  return new Problem('limit-reached', detail)
}

/**
 * Counts the instances of a collection in an account, for a limit: concurrent transactions that count them
 * wait for each other, so that no two take the last place.
 */
export async function countExactly(writer: Writer, collection: Collection): Promise<number> {
  await writer.lock(collection, null)
  return writer.count(collection, null, { conditions: [], searchTerms: [] })
}
