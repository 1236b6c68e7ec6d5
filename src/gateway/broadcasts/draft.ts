import type { Instant } from '../../core/clock.ts'
import type { Fields } from '../../core/field.ts'
import type { JsonObject, JsonValue } from '../../core/json.ts'
import { timestamp } from '../../core/timestamp.ts'
import type { Broadcast } from '../../collections/broadcasts.ts'
import { messages, type Message } from '../../collections/messages.ts'
import { asMessage } from '../kept-message.ts'

/** Whom a message is for, and what it says. */
export interface Letter {
  readonly to: string
  readonly body: string
}

/** A message as a client would ask for it, from what its broadcast says of all its messages. */
export function draftOf(broadcast: Broadcast, letter: Letter, id: string, now: Instant): Message {
  const { from, encoding, protocolId, messageClass, userSuppliedId } = broadcast
  const { validUntil, carrier, priority } = broadcast
  const given: JsonObject = {
    ...letter,
    from,
    encoding,
    protocolId,
    messageClass,
    userSuppliedId,
    validUntil,
    carrier,
    priority,
  }
  const instance: Record<string, JsonValue> = { id }
  for (const [name, field] of served) instance[name] = given[name] ?? field.default ?? null
  const date = timestamp(now)
  return asMessage({ ...instance, createdAt: date, updatedAt: date })
}

const fields: Fields = messages.fields

/** The fields of a message in their order on the wire. */
const served = Object.entries(fields).filter(
  ([, field]) => field.writeOnly !== true && field.internal !== true,
)
