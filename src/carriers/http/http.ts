import type { Carrier, CarrierGround, CarrierType } from '../../core/ports/carrier.ts'
import type { JsonObject } from '../../core/json.ts'
import { standardScheme } from '../../core/part-scheme.ts'
import type { SendHttp } from '../../core/ports/outgoing-request.ts'
import { rateMeter } from '../rate-meter.ts'
import { callbackTaker } from './callbacks/callbacks.ts'
import { settingFaults } from './setting-faults.ts'
import { messageParts } from './message-parts.ts'
import { messageValues, settledUrl } from './message-values.ts'
import { RequestLimiter } from './request-limiter.ts'
import { httpFields, type HttpSettings } from './settings.ts'
import { ProviderState } from './provider-state.ts'
import { submitMessages, type SubmitMessage } from './submit-message.ts'
import { requestWriter } from './write-request.ts'
import { inJson, inUrl } from '../template.ts'

/** Network access of HTTP carriers. */
export interface HttpWay {
  readonly send: SendHttp
  /** Why requests cannot go to this URL, as "must …"; null where they can. */
  readonly refusal: (url: string) => string | null
}

/** A link to a provider with an interface over HTTP, as its settings declare it. */
export function httpOver(way: HttpWay): CarrierType {
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
      callbackTaker({ ...ground, id, settings: settings as unknown as HttpSettings }),
  }
}

/** Parameters for opening an HTTP carrier. */
interface Given {
  readonly id: string
  readonly settings: HttpSettings
  readonly ground: CarrierGround
  readonly way: HttpWay
}

function openHttp(given: Given): Carrier {
  const { id, settings, ground } = given
  const { clock, random } = ground
  const ending = new AbortController()
  const meter = rateMeter(clock)
  const stands: ProviderState = new ProviderState({
    clock,
    random,
    probe: () => probe(given, ending.signal),
    onOpen: () => line.pass(),
  })
  const line: RequestLimiter = new RequestLimiter({
    clock,
    random,
    window: () => (stands.isTrial ? 1 : settings.window),
    closed: () => stands.closed(),
  })
  const submit = submitter(given, { stands, line, onSent: () => meter.count() })

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

function submitter(
  { id, settings, ground, way }: Given,
  {
    stands,
    line,
    onSent,
  }: { readonly stands: ProviderState; readonly line: RequestLimiter; readonly onSent: () => void },
): SubmitMessage {
  const { clock, random, newId } = ground
  const write = requestWriter(settings)
  let reference = Math.floor(random.fraction() * 0x100)
  return submitMessages({
    settings,
    send: way.send,
    pace: line,
    stands,
    onSent,
    shown: withoutSecrets(settings),
    newPartId: () => newId('part'),
    requestsOf: (message) => {
      reference = (reference + 1) & 0xff
      return messageParts(message, reference, settings).map((part) =>
        write(messageValues(id, settings, message, part, clock.now())),
      )
    },
  })
}

/** Timeout of the probe, in milliseconds. */
const probeMs = 10_000

/**
 * Any response shows that the provider is reachable. The request has no parameters and no
 * credentials.
 */
async function probe({ settings, way }: Given, signal: AbortSignal): Promise<string | null> {
  const url = new URL('/', settledUrl(settings))
  const request = { method: 'HEAD', url, headers: {}, body: null, timeoutMs: probeMs }
  const sent = await way.send(request, signal)
  return sent.kind === 'ANSWERED' ? null : `the provider was not reached: ${sent.detail}`
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
