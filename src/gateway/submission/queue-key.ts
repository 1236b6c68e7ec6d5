import type { Instant } from '../../core/ports/clock.ts'
import type { Writer } from '../../core/ports/store.ts'
import type { QueueKey } from '../../core/ports/submissions.ts'
import { parseTimestamp } from '../../core/timestamp.ts'
import type { Message } from '../../collections/messages.ts'
import type { KnownNumber } from '../../collections/numbers.ts'

/** The name of a queue: its submissions take one carrier, or wait for one. */
export interface QueueName {
  /** Null if no carrier serves the recipient yet. */
  readonly carrier: string | null
  /** True if the client named the carrier, so that no other one will do. */
  readonly pinned: boolean
  /** The sender, if it has a rate; else null. */
  readonly sender: string | null
}

/** Formats a queue name. Identifiers of carriers contain neither `!` nor a space. */
export function queueNameText({ carrier, pinned, sender }: QueueName): string {
  return `${carrier ?? ''}${pinned ? '!' : ''}${sender === null ? '' : ` ${sender}`}`
}

/** Parses a queue name. */
export function readQueueName(text: string): QueueName {
  const space = text.indexOf(' ')
  const first = space === -1 ? text : text.slice(0, space)
  const pinned = first.endsWith('!')
  const carrier = pinned ? first.slice(0, -1) : first
  return {
    carrier: carrier === '' ? null : carrier,
    pinned,
    sender: space === -1 ? null : text.slice(space + 1),
  }
}

/** Returns the queue of a message: by its carrier, its sender if that has a rate, and its priority. */
export function queueKeyOf(
  message: Message,
  number: KnownNumber | null,
  pinned: boolean,
): QueueKey {
  const sender = number === null || number.partsPerSecond === null ? null : message.from
  const lane = queueNameText({ carrier: message.carrier, pinned, sender })
  return { lane, priority: message.priority }
}

/** Enqueues a message, due at this time. It is late when its validity ends. */
export function enqueueMessage(
  writer: Writer,
  message: Message,
  queue: QueueKey,
  dueAt: Instant,
): Promise<void> {
  const { validUntil } = message
  const lateAt = validUntil === null ? null : parseTimestamp(validUntil)
  return writer.enqueue(message.id, dueAt, queue, lateAt)
}
