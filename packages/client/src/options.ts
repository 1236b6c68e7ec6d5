import type { Clock } from '../../../src/core/ports/clock.ts'
import type { Random } from '../../../src/core/ports/random.ts'

/** What a client needs to be told; the rest has a default. */
export interface ClientOptions {
  /** Where the service is, without the version: `https://messages.example.com`. */
  readonly baseUrl: string
  /** The version of the interface to speak, such as `v1`, which is spoken where none is given. */
  readonly version?: string | undefined
  /** A key, `nuncio_…`. */
  readonly key: string
  /** Header fields to send with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** How long one attempt at a request may take; 30,000 where none is given. */
  readonly timeoutMs?: number | undefined
  readonly retry?: Partial<RetryLimits> | undefined
  /** What sends; the runtime's own `fetch` where none is given. */
  readonly fetch?: Fetch | undefined
  /** Time, for tests. */
  readonly clock?: Clock | undefined
  /** Randomness, for tests. */
  readonly random?: Random | undefined
}

/** How far a request is repeated that got no answer, or was refused for the moment. */
export interface RetryLimits {
  /** Attempts in all; 4 where none is given, 1 for no repetition. */
  readonly attempts: number
  /** How long a request may take with all its attempts and waits; 60,000 where none is given. */
  readonly totalMs: number
}

/** The part of `fetch` that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** What any request can be given. */
export interface RequestOptions {
  /** Gives the request up. The promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** How long one attempt may take; the client's own where none is given. */
  readonly timeoutMs?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** What a write can be given. */
export interface WriteOptions extends RequestOptions {
  /** Only shows what would become of it, and writes nothing; a new instance would get another id. */
  readonly dryRun?: boolean | undefined
}

/** What the making of an instance can be given. */
export interface CreateOptions extends WriteOptions {
  /** However often it is sent, the service makes one instance. A new one where none is given. */
  readonly idempotencyKey?: string | undefined
}

/** What a change or a removal can be given. */
export interface ChangeOptions extends RequestOptions {
  /** Only if this is still the entity tag; else the problem `precondition-failed`. See `etagOf`. */
  readonly ifMatch?: string | undefined
}

/** What a patch can be given. */
export interface PatchOptions extends ChangeOptions, WriteOptions {}

/** What the replacement of an instance can be given. */
export interface PutOptions extends PatchOptions {
  /** `*`: only if there is no such instance yet. */
  readonly ifNoneMatch?: '*' | undefined
}

/** What the reading of an instance can be given. */
export interface GetOptions<T> extends RequestOptions {
  /** What was read before. It is the result again, without being transferred, if nothing changed. */
  readonly known?: T | undefined
}
