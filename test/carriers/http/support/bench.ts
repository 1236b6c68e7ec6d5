import { until } from '../../support/until.ts'
import { aMessage } from '../../support/a-message.ts'
import type {
  Carrier,
  CarrierEvent,
  OutgoingMessage,
  SubmitOutcome,
} from '../../../../src/core/ports/carrier.ts'
import type { Callback, CallbackOutcome } from '../../../../src/core/ports/callback.ts'
import { typeIds } from '../../../../src/core/id.ts'
import type { JsonObject } from '../../../../src/core/json.ts'
import type { InputError } from '../../../../src/core/problem.ts'
import { httpType } from '../../../../src/carriers/http/http.ts'
import { egressGuard, networks } from '../../../../src/delivery/egress/guard.ts'
import { sender } from '../../../../src/delivery/egress/sender.ts'
import { readSettings } from '../../../../src/engine/input.ts'
import { seededRandom } from '../../../support/seeded-random.ts'
import { virtualClock, type VirtualClock } from '../../../support/virtual-clock.ts'
import { startProvider, type Provider, type ProviderAnswer, type SeenRequest } from './provider.ts'

/** A carrier beside a provider of the test's, on a clock that stands still. */
export interface Bench extends AsyncDisposable {
  readonly carrier: Carrier
  readonly provider: Provider
  readonly clock: VirtualClock
  /** What the carrier reported, in order. */
  readonly events: CarrierEvent[]
  /** What reporting waits for, where a test puts something in its place. */
  readonly durable: { promise: Promise<void> }
  /** What it logged, with the fields as text. */
  readonly logged: string[]
  /** Parts that it counted, by status. */
  readonly counted: Map<string, number>
  /** Hands a message over. */
  submit(fields?: Partial<OutgoingMessage>, signal?: AbortSignal): Promise<SubmitOutcome>
  /** Calls back. */
  call(callback: Partial<Omit<Callback, 'body'>> & { body?: string }): Promise<CallbackOutcome>
  /** Waits, without time passing, for something to come about over the network. */
  until(what: string, holds: () => boolean): Promise<void>
}

/** A request that names a message by JSON. */
export const jsonRequest = {
  json: { id: '{{id}}', from: '{{from}}', to: '{{to}}', text: '{{body}}' },
}

/** A callback for receipts and one for messages, with a token in the query. */
export const plainCallbacks: JsonObject = {
  secrets: { token: 'callback-token' },
  callbackAuthentication: { query: { name: 'token', value: '{{secret.token}}' } },
  callbacks: [
    {
      name: 'receipts',
      receipt: {
        id: '/id',
        status: '/state',
        statuses: {
          sent: 'ON_ITS_WAY',
          'sent.to supplier': 'ON_ITS_WAY',
          '…': 'ON_ITS_WAY',
          done: 'DELIVERED',
          failed: 'UNDELIVERABLE',
          lost: 'UNKNOWN',
        },
        reason: '/why',
        reasons: { late: 'EXPIRED' },
      },
    },
    {
      name: 'messages',
      events: '/items/*',
      message: { id: '/id', from: '/from', to: '/to', body: '/text', digits: true },
    },
  ],
}

/** Opens a bench. Settings without a request get one for the provider; a function gets its URL. */
export async function openBench(
  answer: (request: SeenRequest) => ProviderAnswer | Promise<ProviderAnswer>,
  settings: JsonObject | ((url: string) => JsonObject) = {},
  options: { readonly networks?: string } = {},
): Promise<Bench> {
  const clock = virtualClock()
  const random = seededRandom(1)
  const provider = await startProvider(answer)
  const events: CarrierEvent[] = []
  const logged: string[] = []
  const counted = new Map<string, number>()
  const durable = { promise: Promise.resolve() }
  const guard = egressGuard(networks([options.networks ?? '127.0.0.0/8']))
  const way = sender({ guard, lookup: async () => ['127.0.0.1'], clock, who: 'carriers' })
  const type = httpType({ send: way.send, clock, refusal: guard.refusal })
  const own = typeof settings === 'function' ? settings(`${provider.url}/send`) : settings
  const given = { request: { url: `${provider.url}/send`, ...jsonRequest }, ...own }
  const carrier = type.open('carrier_http', httpSettings(given), {
    clock,
    random,
    newId: typeIds(clock, random),
    log: (level, event, fields) =>
      void logged.push(`${level} ${event} ${JSON.stringify(fields ?? {})}`),
    counts: {
      submitted: (_, given, parts = 1) => {
        const status = given ?? 'UNANSWERED'
        counted.set(status, (counted.get(status) ?? 0) + parts)
      },
      throttled: () => {},
      receipted: () => {},
    },
  })
  await carrier.start(
    async () => {},
    async function* () {},
  )
  const take = type.receive?.('carrier_http', httpSettings(given), {
    log: () => {},
    onFault: (detail) => carrier.failed?.(detail),
    report: async (reported) => {
      await durable.promise
      events.push(...reported)
    },
  })

  return {
    carrier,
    provider,
    clock,
    events,
    durable,
    logged,
    counted,
    until,
    submit: (fields = {}, signal = new AbortController().signal) =>
      carrier.submit(aMessage(fields), signal),
    call: async ({ body = '', name = 'receipts', ...rest }) =>
      (await take?.({
        name,
        method: 'POST',
        target: `/v1/carriers/carrier_http/callbacks/${name}?token=callback-token`,
        headers: { 'content-type': 'application/json' },
        ...rest,
        receive: () => Buffer.from(body),
      })) ?? { kind: 'REFUSED' },
    async [Symbol.asyncDispose]() {
      await carrier[Symbol.asyncDispose]()
      await way[Symbol.asyncDispose]()
      await provider[Symbol.asyncDispose]()
    },
  }
}

const anyWay = httpType({
  send: async () => ({ kind: 'NOT_SENT', detail: 'no network' }),
  clock: virtualClock(),
  refusal: egressGuard(networks(['127.0.0.0/8'])).refusal,
})

/** Settings as the collection of carriers reads them. Throws where they are at fault. */
export function httpSettings(given: JsonObject): JsonObject {
  const { shown, secrets, errors } = readSettings(anyWay.settings, given, {})
  if (errors.length > 0) throw new Error(JSON.stringify(errors))
  return { ...shown, ...secrets }
}

/** What is wrong with settings that keep to their fields. */
export function faultsOf(given: JsonObject): readonly InputError[] {
  return anyWay.faults?.(httpSettings(given), false) ?? []
}
