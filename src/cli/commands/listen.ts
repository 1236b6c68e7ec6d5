import type { StreamInterruption } from '@nuncio/client'
import { clientSettings } from '../../config/client-settings.ts'
import { settingFlags } from '../arguments.ts'
import { callService, openClient } from '../client.ts'
import { refuse, type Command } from '../command.ts'
import { networkReason } from '../failure-text.ts'
import { forwarder } from './forward.ts'
import { listenFlags, listenOptions, type ListenOptions } from './listen-options.ts'
import { notificationLine } from '../notification-line.ts'
import type { ProcessContext, Screen } from '../process-context.ts'
import { watchShutdown } from '../watch-shutdown.ts'

/** `nuncio listen`: shows notifications as they arrive, and forwards them to a receiver on this machine. */
export const listen: Command = {
  name: 'listen',
  summary: 'Shows notifications as they arrive, and forwards them to a local receiver.',
  usage: 'listen [--forward <url>] [flags]',
  notes: [
    'Tests a webhook receiver before it has a public address. After an interruption it resumes ' +
      'where it stopped. Ctrl-C ends it.',
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
