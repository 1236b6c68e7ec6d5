import { Problem } from '../../core/problem.ts'
import type { Change, RuleContext, Ruled } from '../../core/declaration/rules.ts'
import { broadcastMessages, type Broadcast, type SkipReason } from '../../collections/broadcasts.ts'
import { messages, type Message } from '../../collections/messages.ts'
import { complete, contentFaults, type ContentDefaults } from '../messages/content.ts'
import { createMessage } from '../messages/create-message.ts'
import { asMessage } from '../messages/stored-message.ts'
import type { Job } from './job.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { Fields } from '../../core/declaration/field.ts'
import type { JsonObject, JsonValue } from '../../core/json.ts'
import { timestamp } from '../../core/timestamp.ts'
import { microsPerCredit } from '../../core/ports/credits.ts'

/** The result for a recipient. `stopped`: no message can be created now, for any recipient. */
export type MadeMessage =
  | { readonly message: Message }
  | { readonly skipped: SkipReason }
  | { readonly stopped: NonNullable<Broadcast['stateReason']> }

/**
 * Creates a message from its draft, as a client's request would, and stores that the address has
 * its message. A refusal has written nothing.
 */
export async function makeMessage(job: Job, draft: Message): Promise<MadeMessage> {
  const { broadcast, tally, writer, defaults } = job
  const change: Change = {
    method: 'POST',
    body: {},
    input: {},
    parent: null,
    before: null,
    hiddenBefore: null,
    after: draft,
    hiddenAfter: { tally, maxParts: broadcast.maxParts },
    ahead: null,
  }
  let ruled: Ruled
  try {
    ruled = await createMessage(change, contextOf(job), defaults)
  } catch (error) {
    return refusalOf(error, draft, broadcast, defaults)
  }
  const { id, to, createdAt, updatedAt } = draft
  const entry = { id, to, createdAt, updatedAt }
  await writer.save(messages, { id }, ruled.instance, ruled.hidden)
  await writer.save(broadcastMessages, { id, parent: broadcast.id }, entry, null)
  const message = asMessage(ruled.instance)
  await writer.addToCounter(tally, message.status.type, 1)
  return { message }
}

/** Returns why the content of a message is refused; null if it is not. */
export function messageFault(
  draft: Message,
  { maxParts }: Pick<Broadcast, 'maxParts'>,
  defaults: ContentDefaults,
): SkipReason | null {
  const message = complete(draft, defaults)
  if (contentFaults(message, Infinity, defaults).length > 0) return 'unencodable'
  return message.numberOfParts > maxParts ? 'tooLong' : null
}

/** Translates the refusal of one message for its broadcast. Throws any other error again. */
function refusalOf(
  error: unknown,
  draft: Message,
  broadcast: Broadcast,
  defaults: ContentDefaults,
): MadeMessage {
  if (!(error instanceof Problem)) throw error
  const unfit = messageFault(draft, broadcast, defaults)
  if (unfit !== null) return { skipped: unfit }
  if (error.problem === 'insufficient-credits') return { stopped: 'INSUFFICIENT_CREDITS' }
  const at = error.errors.flatMap((fault) => ('pointer' in fault ? [fault.pointer] : []))
  if (at.includes('/from')) return { stopped: 'SENDER_REFUSED' }
  if (at.includes('/carrier')) return { stopped: 'CARRIER_GONE' }
  throw error
}

/** Returns the context of a slice: it may do what its account may request. */
function contextOf({ writer, transaction, newId, clock }: Job): RuleContext {
  const principal = { account: writer.account, keyId: '', scopes: [], administrator: false }
  return { principal, version: '', clock, newId, writer, transaction }
}

/** The fields that differ between the messages of a broadcast. */
export type RecipientContent = Pick<Message, 'id' | 'to' | 'body'>

/**
 * Returns a function that drafts a broadcast's messages, as a client would request each. The common
 * fields are calculated once.
 */
export function draftsOf(
  broadcast: Broadcast,
  now: Instant,
): (letter: RecipientContent) => Message {
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

/** Rounds a sum of credits to six decimals, which removes the error of floating-point addition. */
export function exactCredits(credits: number): number {
  return Math.round(credits * microsPerCredit) / microsPerCredit
}
