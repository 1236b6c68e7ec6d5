import assert from 'node:assert/strict'
import type { Handle } from '../../src/http/server/handle.ts'
import { wireApp, standardOffer, type Offer } from '../../src/wiring/wire.ts'
import { firstStart } from '../../src/collections/first-start.ts'
import type { Config } from '../../src/config/config.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { typeIds } from '../../src/core/id.ts'
import type { Log } from '../../src/core/ports/log.ts'
import type { SendHttp } from '../../src/core/ports/outgoing-request.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { egressGuard, networks } from '../../src/delivery/egress/guard.ts'
import type { Post } from '../../src/delivery/egress/post.ts'
import { memoryStore } from '../oracle/memory-store.ts'
import { awaitingStore } from './awaiting-store.ts'
import { seededRandom } from './seeded-random.ts'
import { withTime } from './with-time.ts'
import { virtualClock, type VirtualClock } from './virtual-clock.ts'

/** The default configuration, for a service without a socket. */
export const testConfig: Config = await defaults()

async function defaults(): Promise<Config> {
  const flags = { store: 'memory:', port: '0' }
  const loaded = await loadConfig({ flags, environment: {}, cwd: import.meta.dirname })
  return loaded.ok ? loaded.config : assert.fail(loaded.faults.join('\n'))
}

/** JSON that a test looks into without checking each step. */
type Json = ReturnType<typeof JSON.parse>

/** An answer, read. */
export interface Read {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The body as JSON; null where there is none. */
  readonly json: Json
}

/** What a request may have besides method and path. */
export interface Extras {
  readonly headers?: Readonly<Record<string, string>>
  /** The key to use; null for none. */
  readonly key?: string | null
}

/** The service in this process: requests without a socket, time that the test moves. */
export interface TestApi {
  readonly clock: VirtualClock
  readonly store: Store
  readonly adminKey: string
  /** What answers, as the edge calls it. */
  readonly handle: Handle
  request(method: string, target: string, body?: unknown, extras?: Extras): Promise<Read>
  get(target: string, extras?: Extras): Promise<Read>
  post(target: string, body: unknown, extras?: Extras): Promise<Read>
  put(target: string, body: unknown, extras?: Extras): Promise<Read>
  patch(target: string, body: unknown, extras?: Extras): Promise<Read>
  delete(target: string, extras?: Extras): Promise<Read>
  /** Makes an account with a key of these scopes; returns the key's secret. */
  newAccount(id: string, scopes?: readonly string[]): Promise<string>
}

/** Starts the service over a store, the memory store if none is given; ends it with the test. */
export async function startApi(
  t: { after(end: () => Promise<void>): void },
  options: {
    readonly config?: Partial<Config>
    readonly store?: Store
    readonly offer?: Offer
    /** How requests leave for webhooks; where none is given every receiver is unreachable. */
    readonly post?: Post
    /** How requests leave for carriers; where none is given every provider is unreachable. */
    readonly send?: SendHttp
    readonly log?: Log
    /** Goes on from where another service stood, which had another seed. */
    readonly clock?: VirtualClock
    readonly seed?: number
  } = {},
): Promise<TestApi> {
  const clock = options.clock ?? virtualClock()
  const random = seededRandom(options.seed ?? 7)
  const newId = typeIds(clock, random)
  const { offer = standardOffer } = options
  const opened = options.store ?? memoryStore(offer.collections)
  // A node does not start if the clock of a database that it shares differs from its own.
  const store = awaitingStore(opened.isShared ? withTime(opened, clock.now) : opened)
  const config = { ...testConfig, ...options.config }
  const adminKey = (await firstStart(store, config.adminKey, { clock, random, newId })) ?? ''
  const guard = egressGuard(networks(config.webhookNetworks))
  const carrierGuard = egressGuard(networks(config.carrierNetworks))
  const { post = unreachable, send = unsent, log = (): void => {} } = options
  const ways = { guard, post, carrierGuard, send }
  const joined = wireApp(config, { store, clock, random, newId, log, ...ways }, offer)
  await joined.start()
  t.after(async () => {
    await joined[Symbol.asyncDispose]()
    await store[Symbol.asyncDispose]()
  })

  const api: TestApi = {
    clock,
    store,
    adminKey,
    handle: joined.handle,
    request: async (method, target, body, { headers = {}, key = adminKey } = {}) => {
      const answer = await joined.handle({
        method,
        target,
        headers: {
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: bytes(body),
      })
      const text = await read(answer.body)
      answer.written?.()
      return { status: answer.status, headers: answer.headers, text, json: parse(text) }
    },
    get: (target, extras) => api.request('GET', target, undefined, extras),
    post: (target, body, extras) => api.request('POST', target, body, extras),
    put: (target, body, extras) => api.request('PUT', target, body, extras),
    patch: (target, body, extras) => api.request('PATCH', target, body, extras),
    delete: (target, extras) => api.request('DELETE', target, undefined, extras),
    newAccount: async (id, scopes = ['*']) => {
      await api.put(`/v1/accounts/${id}`, { name: id })
      const { json } = await api.post('/v1/keys', { scopes, account: id })
      return json.secret
    },
  }
  return api
}

const unreachable: Post = async () => ({
  outcome: { kind: 'UNREACHABLE', detail: 'there is no network in this test' },
  response: null,
})

const unsent: SendHttp = async () => ({
  kind: 'NOT_SENT',
  detail: 'there is no network in this test',
})

function bytes(body: unknown): Uint8Array {
  if (body === undefined) return new Uint8Array()
  if (body instanceof Uint8Array) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

async function read(body: string | Uint8Array | AsyncIterable<string> | null): Promise<string> {
  if (body === null || typeof body === 'string') return body ?? ''
  if (body instanceof Uint8Array) return Buffer.from(body).toString()
  let text = ''
  for await (const chunk of body) text += chunk
  return text
}

function parse(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
