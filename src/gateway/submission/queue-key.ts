import type { Instant } from '../../core/ports/clock.ts'
import type { Writer } from '../../core/ports/store.ts'
import type { QueueKey } from '../../core/ports/submissions.ts'
import { parseTimestamp } from '../../core/timestamp.ts'
import type { Message } from '../../collections/messages.ts'
import type { KnownNumber } from '../../collections/numbers.ts'
import { laneText } from './queue-name.ts'

/** Where a message waits: by its carrier, its sender where that has a rate of its own, its priority. */
export function placeOf(message: Message, number: KnownNumber | null, pinned: boolean): QueueKey {
  const sender = number === null || number.partsPerSecond === null ? null : message.from
  const lane = laneText({ carrier: message.carrier, pinned, sender })
  return { lane, priority: message.priority }
}

/** Makes a message due, at the time it is scheduled for or now; it is late when its validity ends. */
export function makeDue(
  writer: Writer,
  message: Message,
  place: QueueKey,
  dueAt: Instant,
): Promise<void> {
  return writer.enqueue(message.id, dueAt, place, lateAt(message))
}

function lateAt({ validUntil }: Message): Instant | null {
  return validUntil === null ? null : parseTimestamp(validUntil)
}
