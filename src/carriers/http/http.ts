import { hash } from 'node:crypto'
import type { JsonObject } from '../../core/json.ts'
import { standardScheme } from '../../core/part-scheme.ts'
import type {
  Carrier,
  CarrierGround,
  CarrierType,
  OutgoingMessage,
} from '../../core/ports/carrier.ts'
import type { SendHttp } from '../../core/ports/outgoing-request.ts'
import { rateMeter } from '../sent-parts.ts'
import { inJson, inUrl } from '../template.ts'
import { callbackTaker } from './callbacks/callbacks.ts'
import { authorizedSender } from './credentials/authorize.ts'
import type { HttpNetwork } from './http-network.ts'
import { messageParts } from './requests/message-parts.ts'
import { messageValues } from './requests/message-values.ts'
import { requestWriter } from './requests/write-request.ts'
import { settingFaults } from './setting-faults.ts'
import { type EventMeaning, httpFields, type HttpSettings } from './settings.ts'
import { checkProvider } from './submit/check-provider.ts'
import { ProviderState } from './submit/provider-state.ts'
import { RequestLimiter } from './submit/request-limiter.ts'
import { type SubmitMessage, submitMessages } from './submit/submit-message.ts'

/** Carrier type of providers with an interface over HTTP, as their settings declare it. */
export function httpType(way: HttpNetwork): CarrierType {
  return {
    type: 'HTTP',
    settings: httpFields,
    // They were read after the fields above, from which their type follows.
    faults: (settings) => settingFaults(settings as unknown as HttpSettings, way.refusal),
    // A provider writes the text again, without the tables of national languages.
    partScheme: () => ({ ...standardScheme, nationalTables: false }),
    open: (id, settings: JsonObject, ground) =>
      openHttp({ id, way, ground, settings: settings as unknown as HttpSettings }),
    receive: (id, settings, ground) =>
      callbackTaker({ ...ground, way, id, settings: settings as unknown as HttpSettings }),
  }
}

/** Parameters for opening an HTTP carrier. */
interface Given {
  readonly id: string
  readonly settings: HttpSettings
  readonly ground: CarrierGround
  readonly way: HttpNetwork
}

function openHttp(given: Given): Carrier {
  const { id, settings, ground, way } = given
  const { clock, random } = ground
  const ending = new AbortController()
  const { signal } = ending
  const sendAuthorized = authorizedSender({ ...ground, id, settings, send: way.send, signal })
  const meter = rateMeter(clock)
  const stands: ProviderState = new ProviderState({
    clock,
    random,
    probe: () => checkProvider(id, settings, { send: way.send, sendAuthorized }, signal),
    onOpen: () => line.pass(),
  })
  const line: RequestLimiter = new RequestLimiter({
    clock,
    random,
    window: () => (stands.isTrial ? 1 : settings.window),
    closed: () => stands.closed(),
  })
  const count = (status: EventMeaning | null, parts = 1): void => {
    ground.counts?.submitted(id, status, parts)
    if (status === 'THROTTLED') ground.counts?.throttled(id)
  }
  // Rates and alerts need the usual responses before the first one.
  for (const status of ['ACCEPTED', null] as const) count(status, 0)
  const submit = submitter(given, {
    stands,
    line,
    send: sendAuthorized,
    onSent: () => meter.count(),
    onAnswer: (meaning) => count(meaning),
  })

  return {
    id,
    submit,
    start: async () => stands.started(),
    failed: (detail) => stands.failed(detail),
    condition: () => ({
      ...stands.condition,
      inFlight: line.inFlight,
      partsPerSecond: meter.perSecond(),
    }),
    [Symbol.asyncDispose]: async () => {
      stands.stopped()
      ending.abort()
      line.pass()
    },
  }
}

interface SubmitterParts {
  readonly stands: ProviderState
  readonly line: RequestLimiter
  readonly send: SendHttp
  readonly onSent: () => void
  readonly onAnswer: (meaning: EventMeaning | null) => void
}

function submitter(
  { id, settings, ground }: Given,
  { stands, line, send, onSent, onAnswer }: SubmitterParts,
): SubmitMessage {
  const { clock, random } = ground
  const write = requestWriter(settings)
  let reference = Math.floor(random.fraction() * 0x100)
  return submitMessages({
    settings,
    send,
    clock,
    pace: line,
    stands,
    onSent,
    onAnswer,
    shown: withoutSecrets(settings),
    requestsOf: (message) => {
      reference = (reference + 1) & 0xff
      const parts = messageParts(message, reference, settings, (part) =>
        partUuid(id, message, part),
      )
      return parts.map((part) => ({
        id: part.id,
        correlation: message.correlation ?? null,
        ...write(messageValues(id, settings, message, part, clock.now())),
      }))
    },
  })
}

/** Shorter ones would tear up every text, and are no secrets. */
const lengthMin = 4

/** Makes what blackens the secrets of a carrier in a text: providers quote what they were sent. */
export function withoutSecrets({
  secrets,
}: Pick<HttpSettings, 'secrets'>): (text: string) => string {
  const values = Object.values(secrets ?? {})
    .flatMap((value) => (value.length < lengthMin ? [] : [value, inUrl(value), inJson(value)]))
    .toSorted((a, b) => b.length - a.length)
  return (text) => values.reduce((shown, value) => shown.replaceAll(value, '…'), text)
}

/**
 * Returns the UUID (RFC 9562, version 8) of a part of a message at a carrier: that of a repeated request is the
 * same, so a provider that knows it does not send twice, and a late receipt of the first request finds its message.
 */
export function partUuid(
  carrier: string,
  { account, id, correlation }: Pick<OutgoingMessage, 'account' | 'id' | 'correlation'>,
  part: number,
): string {
  // A client can delete a message and choose its identifier again: the request that created it tells them apart.
  const name = JSON.stringify([carrier, account, id, correlation ?? null, part])
  const octets = hash('sha256', name, 'buffer').subarray(0, 16)
  octets[6] = ((octets[6] ?? 0) & 0x0f) | 0x80
  octets[8] = ((octets[8] ?? 0) & 0x3f) | 0x80
  return octets.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
