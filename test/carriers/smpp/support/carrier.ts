import { until } from '../../support/until.ts'
import { aMessage } from '../../support/a-message.ts'
import type {
  Carrier,
  CarrierEvent,
  OutgoingMessage,
  SubmitOutcome,
} from '../../../../src/core/ports/carrier.ts'
import { typeIds } from '../../../../src/core/id.ts'
import type { JsonObject } from '../../../../src/core/json.ts'
import { smppType } from '../../../../src/carriers/smpp/smpp.ts'
import { readSettings } from '../../../../src/engine/input.ts'
import { seededRandom } from '../../../support/seeded-random.ts'
import { virtualClock, type VirtualClock } from '../../../support/virtual-clock.ts'
import { startSmsc, type Behaviour, type Smsc } from './smsc.ts'

/** A carrier that is bound to an SMSC of the test's, on a clock that stands still. */
export interface Bench extends AsyncDisposable {
  readonly carrier: Carrier
  readonly smsc: Smsc
  readonly clock: VirtualClock
  /** What the carrier reported, in order. */
  readonly events: CarrierEvent[]
  /** What it counted, in order. */
  readonly counted: string[]
  /** What it logged, with the fields as text. */
  readonly logged: string[]
  /** Is thrown by the next reports, in order. */
  readonly refusals: Error[]
  /** Hands a message over. */
  submit(fields?: Partial<OutgoingMessage>, signal?: AbortSignal): Promise<SubmitOutcome>
  /** Waits, without time passing, for something to come about over the network. */
  until(what: string, holds: () => boolean): Promise<void>
}

/** What is different about a bench. */
export interface BenchOptions {
  readonly settings?: JsonObject
  readonly behaviour?: Behaviour
  /** Whether it is waited for until the carrier is bound; true where nothing is said. */
  readonly bound?: boolean
}

/** Opens a bench. */
export async function openBench(options: BenchOptions = {}): Promise<Bench> {
  const { settings = {}, behaviour = {}, bound = true } = options
  const clock = virtualClock()
  const random = seededRandom(1)
  const smsc = await startSmsc(behaviour)
  const events: CarrierEvent[] = []
  const logged: string[] = []
  const counted: string[] = []
  const refusals: Error[] = []

  const carrier = smppType().open('carrier_smpp', smppSettings({ port: smsc.port, ...settings }), {
    clock,
    random,
    newId: typeIds(clock, random),
    log: (level, event, fields) =>
      void logged.push(`${level} ${event} ${JSON.stringify(fields ?? {})}`),
    counts: {
      submitted: (_, given, parts) => {
        const status = given ?? 'UNANSWERED'
        counted.push(parts === 0 ? `${status} from zero` : status)
      },
      throttled: () => void counted.push('throttled'),
      receipted: () => {},
    },
  })
  await carrier.start(
    async (_, reported) => {
      const refusal = refusals.shift()
      if (refusal !== undefined) throw refusal
      events.push(...reported)
    },
    async function* () {},
  )
  if (bound) await until('it is bound', () => carrier.condition().state === 'BOUND')

  return {
    carrier,
    smsc,
    clock,
    events,
    logged,
    counted,
    refusals,
    until,
    submit: (fields = {}, signal = new AbortController().signal) =>
      carrier.submit(aMessage(fields), signal),
    async [Symbol.asyncDispose]() {
      const disposed = carrier[Symbol.asyncDispose]()
      await clock.advance(6000)
      await disposed
      await smsc[Symbol.asyncDispose]()
    },
  }
}

/** Settings as the collection of carriers reads them. */
export function smppSettings(fields: JsonObject): JsonObject {
  const given = { host: '127.0.0.1', systemId: 'nuncio', password: 'hush', ...fields }
  const { shown, secrets, errors } = readSettings(smppType().settings, given, {})
  if (errors.length > 0) throw new Error(JSON.stringify(errors))
  return { ...shown, ...secrets }
}
