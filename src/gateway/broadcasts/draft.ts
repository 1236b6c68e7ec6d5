import type { Instant } from '../../core/ports/clock.ts'
import type { Fields } from '../../core/declaration/field.ts'
import type { JsonObject, JsonValue } from '../../core/json.ts'
import { timestamp } from '../../core/timestamp.ts'
import type { Broadcast } from '../../collections/broadcasts.ts'
import { messages, type Message } from '../../collections/messages.ts'
import { asMessage } from '../messages/stored-message.ts'

/** What is each recipient's own in a message of a broadcast. */
export type Letter = Pick<Message, 'id' | 'to' | 'body'>

/**
 * Makes drafts of a broadcast's messages, each as a client would ask for it. What they have in common
 * is worked out once.
 */
export function draftsOf(broadcast: Broadcast, now: Instant): (letter: Letter) => Message {
  const { from, encoding, protocolId, messageClass, userSuppliedId } = broadcast
  const { validUntil, carrier, priority } = broadcast
  const times = { validUntil, carrier, priority }
  const given: JsonObject = { from, encoding, protocolId, messageClass, userSuppliedId, ...times }
  const common: Record<string, JsonValue> = { id: '' }
  for (const [name, field] of served) common[name] = given[name] ?? field.default ?? null
  const date = timestamp(now)
  const draft = asMessage({ ...common, createdAt: date, updatedAt: date })
  return (letter) => ({ ...draft, ...letter })
}

const fields: Fields = messages.fields

/** The fields of a message in their order on the wire. */
const served = Object.entries(fields).filter(
  ([, field]) => field.writeOnly !== true && field.internal !== true,
)
