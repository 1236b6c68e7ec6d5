import type { NotificationRecord, StreamInterruption } from '@nuncio/client'
import { clientSettings } from '../../config/client-settings.ts'
import { timestamp } from '../../core/timestamp.ts'
import { settingFlags } from '../arguments.ts'
import { callService, openClient } from '../client.ts'
import { refuse, type Command } from '../command.ts'
import { networkReason } from '../failure-text.ts'
import { forwarder, type ForwardOutcome } from './forward.ts'
import { listenFlags, listenOptions, type ListenOptions } from './listen-options.ts'
import { paint } from '../paint.ts'
import { printable } from '../printable.ts'
import type { ProcessContext } from '../process-context.ts'
import { paintStatus } from '../status-lines.ts'
import { watchShutdown } from '../watch-shutdown.ts'

/** `nuncio listen`: shows notifications as they arrive, and forwards them to a receiver on this machine. */
export const listen: Command = {
  name: 'listen',
  summary: 'Shows notifications as they arrive, and forwards them to a local receiver.',
  usage: 'listen [--forward <url>] [flags]',
  notes: [
    'Tests a webhook receiver before it has a public address. After an interruption it resumes ' +
      'where it stopped. Ctrl-C ends it.',
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
  { access, receiver, after }: ListenOptions,
  context: ProcessContext,
): Promise<void> {
  const { out } = context
  const { signal } = watchShutdown(context)
  const forward = receiver === null ? null : forwarder(context, receiver.url, receiver.key)
  if (receiver !== null) {
    out.write(`Forwarding to ${receiver.url}\nSigning secret: ${receiver.secret}\n`)
  }

  const client = await openClient(access, context)
  const callbacks = connectionReports(access.url, context)
  const feed = client.notifications.stream({ after }, { signal, ...callbacks })
  try {
    for await (const record of feed) {
      const event = { id: feed.lastEventId ?? '', record }
      const outcome = forward === null ? null : await forward(event, signal)
      if (signal.aborted) return
      out.write(line(record, outcome, context))
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** Reports the first connection and each interruption. Throws if the service was never reached. */
function connectionReports(url: string, { out, err }: ProcessContext) {
  let isOpened = false
  return {
    onOpen: () => {
      out.write(`Listening to ${url}\n`)
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

/** Columns of the longest status and of a generated id. */
const statusColumns = 20
const idColumns = 34

/** Returns one line for a record: time of submission, type, status, id, and the receiver's response. */
function line(
  record: Partial<NotificationRecord>,
  outcome: ForwardOutcome | null,
  context: ProcessContext,
): string {
  const { type, id, status, submission } = record
  const { faint } = paint(context)
  const name = printable(String(id))
  return [
    faint(printable(submission?.date ?? timestamp(context.clock.now()))),
    printable(String(type)).padEnd('RECEIVED'.length),
    paintStatus(status?.id ?? '', context, statusColumns),
    ...(outcome === null ? [name] : [name.padEnd(idColumns), outcomeText(outcome, context)]),
  ]
    .join('  ')
    .concat('\n')
}

function outcomeText(outcome: ForwardOutcome, context: ProcessContext): string {
  const { good, bad } = paint(context)
  if (outcome.kind === 'UNREACHABLE') return bad(`unreachable (${outcome.reason})`)
  const accepted = outcome.status >= 200 && outcome.status < 300
  return (accepted ? good : bad)(`${accepted ? 'accepted' : 'refused'} (${outcome.status})`)
}
