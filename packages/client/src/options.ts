import type { Clock } from '../../../src/core/ports/clock.ts'
import type { Random } from '../../../src/core/ports/random.ts'

/** The options of a client; only `baseUrl` is required. */
export interface ClientOptions {
  /** The URL of the service without the version: `https://messages.example.com`. */
  readonly baseUrl: string
  /** The version of the API. Default: `v1`. */
  readonly version?: string | undefined
  /** A key, `nuncio_…`. In a browser it may be absent: then the session's cookie signs requests. */
  readonly key?: string | undefined
  /** Header fields of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The limit of one attempt. Default: 30,000. */
  readonly timeoutMs?: number | undefined
  readonly retry?: Partial<RetryLimits> | undefined
  /** Sends requests. Default: the runtime's `fetch`. */
  readonly fetch?: Fetch | undefined
  /** The clock, for tests. */
  readonly clock?: Clock | undefined
  /** The random source, for tests. */
  readonly random?: Random | undefined
}

/** Limits of the retries after a lost response or a temporary refusal. */
export interface RetryLimits {
  /** Attempts in all. Default: 4; 1 disables retries. */
  readonly attempts: number
  /** The limit of all attempts and waits of a request. Default: 60,000. */
  readonly totalMs: number
}

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** The options of any request. */
export interface RequestOptions {
  /** Aborts the request. The promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** The limit of one attempt. Default: the client's. */
  readonly timeoutMs?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The options of a write. */
export interface WriteOptions extends RequestOptions {
  /** Returns the result without writing it; a new instance would get another id. */
  readonly dryRun?: boolean | undefined
}

/** The options of a creation. */
export interface CreateOptions extends WriteOptions {
  /** Requests with the same key create one instance. Default: a new key. */
  readonly idempotencyKey?: string | undefined
}

/** The options of a change. */
export interface ChangeOptions extends RequestOptions {
  /** Requires this entity tag; otherwise the problem is `precondition-failed`. See `etagOf`. */
  readonly ifMatch?: string | undefined
}

/** The options of a patch. */
export interface PatchOptions extends ChangeOptions, WriteOptions {}

/** The options of a replacement. */
export interface PutOptions extends PatchOptions {
  /** `*`: requires that no such instance exists. */
  readonly ifNoneMatch?: '*' | undefined
}

/** The options of a deletion. */
export interface DeleteOptions extends ChangeOptions {
  /** Checks that the deletion is possible, and deletes nothing. */
  readonly dryRun?: boolean | undefined
}

/** The options of a read. */
export interface GetOptions<T> extends RequestOptions {
  /** Reads in this account: for administrators. */
  readonly account?: string | undefined
  /** An earlier result. If it is unchanged, it is returned again without transfer. */
  readonly known?: T | undefined
}
