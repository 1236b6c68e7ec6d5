import type { Message } from '@nuncio/client'
import { clientSettings } from '../../config/client-settings.ts'
import { wait } from '../../core/ports/clock.ts'
import { settingFlags, type Arguments, type Flag } from '../arguments.ts'
import { callService, loadAccess, openClient, type ServiceAccess } from '../client.ts'
import { refuse, type Command } from '../command.ts'
import { printable } from '../printable.ts'
import type { ProcessContext } from '../process-context.ts'
import { exitCodeOf, statusLines } from '../status-lines.ts'

const messageFlags: readonly Flag[] = [
  {
    flag: 'to',
    placeholder: 'number',
    description: 'The recipient, such as +4915112345678. Required.',
  },
  { flag: 'body', placeholder: 'text', description: 'The text. Required.' },
  {
    flag: 'from',
    placeholder: 'sender',
    description: "The sender. Default: the service's default sender.",
  },
  {
    flag: 'dry-run',
    placeholder: null,
    description: 'Shows the parts, the encoding and the cost, and sends nothing.',
  },
  {
    flag: 'json',
    placeholder: null,
    description: 'Prints the message as JSON once its last status is known.',
  },
]

/** `nuncio send`: sends one message and shows each status until the last. */
export const send: Command = {
  name: 'send',
  summary: 'Sends a message and waits until it is delivered.',
  usage: 'send --to <number> --body <text> [flags]',
  notes: [
    'Prints the id of the message, then each status. The exit code is 0 if it was ' +
      'delivered, 1 if not. Ctrl-C ends the waiting, not the message.',
  ],
  flags: [...messageFlags, ...settingFlags(clientSettings)],
  run: async (given, context) => {
    const loaded = loadAccess(given, context)
    const { to, body, from } = given.values
    const faults = [...(loaded.ok ? [] : loaded.faults), ...missingFlags(given.values)]
    if (!loaded.ok || to === undefined || body === undefined) return refuse(context, 'send', faults)

    const access = loaded.config
    const dryRun = given.switches.has('dry-run')
    const asJson = given.switches.has('json')
    return callService(access, context, async () => {
      const client = await openClient(access, context)
      const message = await client.messages.create({ to, body, from }, { dryRun })
      if (dryRun) return show(message, asJson, context)
      return followMessage(message, access, asJson, context)
    })
  },
}

function missingFlags({ to, body }: Arguments['values']): readonly string[] {
  return [
    ...(to === undefined ? ['The flag --to is missing: give the recipient.'] : []),
    ...(body === undefined ? ['The flag --body is missing: give the text.'] : []),
  ]
}

/** Prints what a message would be; returns the exit code. */
function show(message: Message, asJson: boolean, { out }: ProcessContext): number {
  if (asJson) {
    out.write(messageJson(message))
    return 0
  }
  const { numberOfParts, encoding, creditCost, from, to } = message
  const parts = numberOfParts === 1 ? '1 part' : `${numberOfParts} parts`
  out.write(`${printable(`${from} to ${to}: ${parts}, ${encoding}, ${creditCost} credits`)}\n`)
  return 0
}

/** The simulator takes a fifth of a second, a telephone network seconds to days. */
const firstDelayMs = 100
const delayMsMax = 3_000
const delayGrowth = 1.5

/** Attempts of each read: the service may be restarting. */
const attempts = 8

const never = new AbortController().signal

/** Returns a message as the commands print it with `--json`. */
function messageJson(message: Message): string {
  return `${JSON.stringify(message, null, 2)}\n`
}

/**
 * Prints a message's id, then each status until the last, or as JSON the message with its last status
 * alone; returns the exit code.
 */
async function followMessage(
  created: Message,
  access: ServiceAccess,
  asJson: boolean,
  context: ProcessContext,
): Promise<number> {
  const client = await openClient(access, context, attempts)
  const { id } = created
  if (!asJson) context.out.write(`${printable(id)}\n`)
  const show = asJson ? () => {} : statusLines(context)

  let message = created
  let delayMs = firstDelayMs
  for (;;) {
    show(message)
    const exitCode = exitCodeOf(message)
    if (exitCode !== null) {
      if (asJson) context.out.write(messageJson(message))
      return exitCode
    }

    await wait(context.clock, delayMs, never)
    delayMs = Math.min(delayMs * delayGrowth, delayMsMax)
    message = await client.messages.get(id, { known: message })
  }
}
