import type { StreamInterruption } from '@nuncio/client'
import { secretFrom, secretKey, type SecretKey } from '@nuncio/receiver'
import { clientSettings } from '../../config/client-settings.ts'
import type { Loaded } from '../../config/load-config.ts'
import { formats } from '../../core/declaration/format.ts'
import { type Arguments, type Flag, settingFlags } from '../arguments.ts'
import { callService, loadAccess, openClient, type ServiceAccess } from '../client.ts'
import { refuse, type Command } from '../command.ts'
import { networkReason } from '../failure-text.ts'
import type { ProcessContext, Screen } from '../process-context.ts'
import { notificationLine } from '../status-lines.ts'
import { watchShutdown } from '../watch-shutdown.ts'
import { forwarder } from './forward.ts'

/** The flags of `listen` besides those of every client. */
const listenFlags: readonly Flag[] = [
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

/** `nuncio listen`: shows notifications as they arrive, and forwards them to a receiver on this machine. */
export const listen: Command = {
  name: 'listen',
  summary: 'Shows notifications as they arrive, and forwards them to a local receiver.',
  usage: 'listen [--forward <url>] [flags]',
  notes: [
    'Tests a webhook receiver before it has a public address. After an interruption it resumes ' +
      'after the last record. Ctrl-C ends it.',
    'A line has the time of submission (UTC), the status, sender and recipient, and the text.',
  ],
  flags: [...listenFlags, ...settingFlags(clientSettings)],
  run: async (given, context) => {
    const options = listenOptions(given, context)
    if (!options.ok) return refuse(context, 'listen', options.faults)

    return callService(options.config.access, context, async () => {
      await listenUntilStopped(options.config, context)
      return 0
    })
  },
}

async function listenUntilStopped(
  { access, receiver, after, json }: ListenOptions,
  context: ProcessContext,
): Promise<void> {
  const { out, err } = context
  const { signal } = watchShutdown(context)
  const forward = receiver === null ? null : forwarder(context, receiver.url, receiver.key)
  // With --json, standard output has records only.
  const notes = json ? err : out
  if (receiver !== null) {
    notes.write(`Forwarding to ${receiver.url}\nSigning secret: ${receiver.secret}\n`)
  }

  const client = await openClient(access, context)
  const callbacks = connectionReports(access.url, notes, err)
  const feed = client.notifications.stream({ after }, { signal, ...callbacks })
  try {
    for await (const record of feed) {
      const event = { id: feed.lastEventId ?? '', record }
      const outcome = forward === null ? null : await forward(event, signal)
      if (signal.aborted) return
      if (json) out.write(`${JSON.stringify(record)}\n`)
      if (!json || outcome !== null) notes.write(notificationLine(record, outcome, context))
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** Reports the first connection and each interruption. Throws if the service was never reached. */
function connectionReports(url: string, notes: Screen, err: Screen) {
  let isOpened = false
  return {
    onOpen: () => {
      notes.write(`Listening to ${url}\n`)
      isOpened = true
    },
    onInterrupted: ({ cause, delayMs }: StreamInterruption) => {
      if (!isOpened && cause !== null && !('status' in cause)) throw cause
      const seconds = (delayMs / 1_000).toFixed(1)
      err.write(`The connection is broken (${reasonOf(cause)}); again in ${seconds} s.\n`)
    },
  }
}

function reasonOf(cause: StreamInterruption['cause']): string {
  if (cause === null) return 'closed by the service'
  if ('status' in cause) return `status ${cause.status}`
  return cause.fault === 'timeout' ? 'timeout' : networkReason(cause)
}

/** The options of `nuncio listen`. */
interface ListenOptions {
  readonly access: ServiceAccess
  /** The receiver to forward to; null for none. */
  readonly receiver: LocalReceiver | null
  /** The position in the log to begin after; undefined: only new notifications. */
  readonly after: string | undefined
  /** Prints records as JSON. */
  readonly json: boolean
}

/** A webhook receiver on this machine, and its signing secret. */
interface LocalReceiver {
  readonly url: string
  /** `whsec_…`, shown at the start. */
  readonly secret: string
  readonly key: SecretKey
}

/** The cursor before the oldest notification. */
const startOfLog = '0'

const secretBytes = 32

/** Reads the arguments of `listen`; returns every fault. */
function listenOptions(given: Arguments, context: ProcessContext): Loaded<ListenOptions> {
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
