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

/** Prints a message's id, then each status until the last; returns the exit code. */
export async function followMessage(
  created: Message,
  access: ServiceAccess,
  context: ProcessContext,
): Promise<number> {
  const client = await openClient(access, context, attempts)
  const { id } = created
  context.out.write(`${printable(id)}\n`)
  const show = statusLines(context)

  let message = created
  let delayMs = firstDelayMs
  for (;;) {
    show(message)
    const exitCode = exitCodeOf(message)
    if (exitCode !== null) return exitCode

    await wait(context.clock, delayMs, never)
    delayMs = Math.min(delayMs * delayGrowth, delayMsMax)
    message = await client.messages.get(id, { known: message })
  }
}
