import type { Message } from '@nuncio/client'
import { wait } from '../../core/ports/clock.ts'
import { openClient, type ServiceAccess } from '../client.ts'
import { printable } from '../printable.ts'
import type { ProcessContext } from '../process-context.ts'
import { exitCodeOf, statusLines } from '../status-lines.ts'

/** The simulator takes a fifth of a second, a telephone network seconds to days. */
const firstDelayMs = 100
const delayMsMax = 3_000
const delayGrowth = 1.5

/** Attempts of each read: the service may be restarting. */
const attempts = 8

const never = new AbortController().signal

/** Returns a message as the commands print it with `--json`. */
export function messageJson(message: Message): string {
  return `${JSON.stringify(message, null, 2)}\n`
}

/**
 * Prints a message's id, then each status until the last, or as JSON the message with its last status
 * alone; returns the exit code.
 */
export async function followMessage(
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
