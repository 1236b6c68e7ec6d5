import { secretFrom, secretKey, type SecretKey } from '@nuncio/receiver'
import type { Loaded } from '../../config/load-config.ts'
import { formats } from '../../core/declaration/format.ts'
import type { Arguments, Flag } from '../arguments.ts'
import { loadAccess, type ServiceAccess } from '../client.ts'
import type { ProcessContext } from '../process-context.ts'

/** The options of `nuncio listen`. */
export interface ListenOptions {
  readonly access: ServiceAccess
  /** The receiver to forward to; null for none. */
  readonly receiver: LocalReceiver | null
  /** The position in the log to begin after; undefined: only new notifications. */
  readonly after: string | undefined
  /** Prints records as JSON. */
  readonly json: boolean
}

/** A webhook receiver on this machine, and its signing secret. */
export interface LocalReceiver {
  readonly url: string
  /** `whsec_…`, shown at the start. */
  readonly secret: string
  readonly key: SecretKey
}

/** The flags of `listen` besides those of every client. */
export const listenFlags: readonly Flag[] = [
  {
    flag: 'forward',
    placeholder: 'url',
    description: 'Posts each notification to this address, signed as a webhook is.',
  },
  {
    flag: 'secret',
    placeholder: 'whsec_…',
    description: 'The secret to sign with. Default: one is made and shown at the start.',
  },
  {
    flag: 'since-start',
    placeholder: null,
    description: 'Begins with the oldest stored notification instead of the next one.',
  },
  {
    flag: 'after',
    placeholder: 'id',
    description: 'Begins after this position in the log: the id of an event of the stream.',
  },
  {
    flag: 'json',
    placeholder: null,
    description: 'Prints each record as one line of JSON.',
  },
]

/** The cursor before the oldest notification. */
const startOfLog = '0'

const secretBytes = 32

/** Reads the arguments of `listen`; returns every fault. */
export function listenOptions(given: Arguments, context: ProcessContext): Loaded<ListenOptions> {
  const client = loadAccess(given, context)
  const { forward, secret, after } = given.values
  const faults = [
    ...(client.ok ? [] : client.faults),
    ...(forward === undefined ? [] : urlFaults(forward)),
    ...(secret === undefined ? [] : secretFaults(secret, forward)),
    ...(after === undefined ? [] : placeFaults(after, given.switches)),
  ]
  if (!client.ok || faults.length > 0) return { ok: false, faults }

  const text = secret ?? secretFrom(context.random.bytes(secretBytes))
  const receiver =
    forward === undefined ? null : { url: forward, secret: text, key: secretKey(text) }
  const start = given.switches.has('since-start') ? startOfLog : undefined
  const json = given.switches.has('json')
  return { ok: true, config: { access: client.config, receiver, after: after ?? start, json } }
}

function urlFaults(url: string): readonly string[] {
  const read = formats.url.read(url)
  return read.ok ? [] : [`The flag --forward ${read.detail}.`]
}

function secretFaults(secret: string, forward: string | undefined): readonly string[] {
  if (forward === undefined) return ['The flag --secret needs --forward: nothing else is signed.']
  try {
    secretKey(secret)
    return []
  } catch (error) {
    return [`The flag --secret is refused. ${error instanceof Error ? error.message : ''}`.trim()]
  }
}

function placeFaults(after: string, switches: ReadonlySet<string>): readonly string[] {
  if (switches.has('since-start')) return ['Give --after or --since-start, not both.']
  return /^[\x21-\x7e]+$/.test(after) ? [] : ['The flag --after must be the id of an event.']
}
