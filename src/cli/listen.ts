import { clientSettings } from '../config/client-settings.ts'
import { isJsonObject, type JsonValue } from '../core/json.ts'
import { timestamp } from '../core/timestamp.ts'
import type { Command } from './command.ts'
import type { StreamEvent } from './event-stream.ts'
import { followNotifications, StreamRefused, type Subscription } from './follow-notifications.ts'
import { forwarder, type ForwardOutcome } from './forward.ts'
import { listenFlags, listenOptions, type ListenOptions } from './listen-options.ts'
import { paint } from './paint.ts'
import { parseJsonObject } from './parse-json-object.ts'
import { printable } from './printable.ts'
import { failed, refuse } from './refuse.ts'
import { settingFlags } from './setting-flags.ts'
import { paintStatus } from './status-lines.ts'
import { watchShutdown } from './watch-shutdown.ts'
import type { ProcessContext } from './process-context.ts'

/** `nuncio listen`: shows notifications as they come, and hands them on to a receiver on this machine. */
export const listen: Command = {
  name: 'listen',
  summary: 'Shows notifications as they come, and forwards them to a local receiver.',
  usage: 'listen [--forward <url>] [flags]',
  notes: [
    'Use it to test a receiver of webhooks without a public address. After a broken connection ' +
      'it resumes. Ctrl-C ends it.',
  ],
  flags: [...listenFlags, ...settingFlags(clientSettings)],
  run: async (given, surroundings) => {
    const options = listenOptions(given, surroundings)
    if (!options.ok) return refuse(surroundings, 'listen', options.faults)

    try {
      await listenUntilStopped(options.config, surroundings)
      return 0
    } catch (error) {
      if (!(error instanceof StreamRefused)) throw error
      surroundings.err.write(`${error.message}\n`)
      return failed
    }
  },
}

async function listenUntilStopped(
  { config, receiver, after }: ListenOptions,
  surroundings: ProcessContext,
): Promise<void> {
  const { out } = surroundings
  const stop = watchShutdown(surroundings)
  const forward = receiver === null ? null : forwarder(surroundings, receiver.url, receiver.key)
  if (receiver !== null) {
    out.write(`Forwarding to ${receiver.url}\nSigning secret: ${receiver.secret}\n`)
  }

  const { signal } = stop
  const subscription = { config, after, signal, ...reports(config.url, surroundings) }
  for await (const event of followNotifications(surroundings, subscription)) {
    if (event.type !== 'message') continue
    const outcome = forward === null ? null : await forward(event, signal)
    if (signal.aborted) return
    out.write(line(event, outcome, surroundings))
  }
}

/** What is said of the connection. What came in between is not lost, and need not be spoken of. */
function reports(
  url: string,
  { out, err }: ProcessContext,
): Pick<Subscription, 'onOpen' | 'onBreak'> {
  return {
    onOpen: () => out.write(`Listening to ${url}\n`),
    onBreak: (reason, delayMs) =>
      err.write(`The connection is broken (${reason}); again in ${delayMs / 1_000} s.\n`),
  }
}

/** The longest status and its detail, and a generated identifier. */
const statusColumns = 20
const idColumns = 34

/** One line an event: when the message was taken in, type, status, identifier, and what the receiver answered. */
function line(
  { data }: StreamEvent,
  outcome: ForwardOutcome | null,
  surroundings: ProcessContext,
): string {
  const { type, id, status, submission } = parseJsonObject(data) ?? {}
  const { faint } = paint(surroundings)
  const statusId = isJsonObject(status) ? String(status['id']) : ''
  return [
    faint(printable(timeOf(submission) ?? timestamp(surroundings.clock.now()))),
    printable(String(type)).padEnd('RECEIVED'.length),
    paintStatus(statusId, surroundings, statusColumns),
    outcome === null ? printable(String(id)) : printable(String(id)).padEnd(idColumns),
    ...(outcome === null ? [] : [outcomeText(outcome, surroundings)]),
  ]
    .join('  ')
    .concat('\n')
}

/** The time that a record has: that of its submission. */
function timeOf(submission: JsonValue | undefined): string | null {
  const date = isJsonObject(submission) ? submission['date'] : undefined
  return typeof date === 'string' ? date : null
}

function outcomeText(outcome: ForwardOutcome, surroundings: ProcessContext): string {
  const { good, bad } = paint(surroundings)
  if (outcome.kind === 'UNREACHABLE') return bad(`unreachable (${outcome.reason})`)
  const accepted = outcome.status >= 200 && outcome.status < 300
  return (accepted ? good : bad)(`${accepted ? 'accepted' : 'refused'} (${outcome.status})`)
}
