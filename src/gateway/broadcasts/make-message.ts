import { Problem } from '../../core/problem.ts'
import type { Change, RuleContext, Ruled } from '../../core/declaration/rules.ts'
import { broadcastMessages, type Broadcast, type SkipReason } from '../../collections/broadcasts.ts'
import {
  blankMessage,
  messages,
  type Message,
  type ProposedMessage,
} from '../../collections/messages.ts'
import { complete, contentFaults, type ContentDefaults } from '../messages/content.ts'
import { createMessage } from '../messages/create-message.ts'
import { asMessage, asProposed } from '../messages/stored-message.ts'
import type { Job } from './job.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { JsonObject, JsonValue } from '../../core/json.ts'
import { timestamp } from '../../core/timestamp.ts'
import { microsPerCredit } from '../../collections/credits/credit-movements.ts'

/** The result for a recipient. `stopped`: no message can be created now, for any recipient. */
export type MadeMessage =
  | { readonly message: Message }
  | { readonly skipped: SkipReason }
  | { readonly stopped: NonNullable<Broadcast['stateReason']> }

/**
 * Creates a message from its draft, as a client's request would, and stores that the address has
 * its message. A refusal has written nothing.
 */
export async function makeMessage(job: Job, draft: ProposedMessage): Promise<MadeMessage> {
  const { broadcast, tally, correlation, writer, defaults } = job
  const change: Change = {
    method: 'POST',
    body: {},
    input: {},
    parent: null,
    before: null,
    hiddenBefore: null,
    after: draft,
    hiddenAfter: { tally, maxParts: broadcast.maxParts, correlation },
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
  draft: ProposedMessage,
  { maxParts }: Pick<Broadcast, 'maxParts'>,
  defaults: ContentDefaults,
): SkipReason | null {
  const [fault] = contentFaults(complete(draft, defaults), maxParts, defaults)
  return fault?.reason ?? null
}

/** Translates the refusal of one message for its broadcast. Throws any other error again. */
function refusalOf(
  error: unknown,
  draft: ProposedMessage,
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
): (letter: RecipientContent) => ProposedMessage {
  const date = timestamp(now)
  const draft = asProposed({ ...commonMessage(broadcast), createdAt: date, updatedAt: date })
  return (letter) => ({ ...draft, ...letter })
}

/** Returns a message without its recipient, with all fields that its broadcast declares too. */
function commonMessage(broadcast: Broadcast): JsonObject {
  const given: JsonObject = { ...broadcast, ...ownFields }
  const values = Object.entries<JsonValue>(blankMessage).map(([name, blank]) => [
    name,
    given[name] ?? blank,
  ])
  return Object.fromEntries(values)
}

/** Fields that a message has for itself, although its broadcast has some of the same name. */
const ownFields = { id: null, to: null, body: null, scheduledAt: null }

/** Rounds a sum of credits to six decimals, which removes the error of floating-point addition. */
export function exactCredits(credits: number): number {
  return Math.round(credits * microsPerCredit) / microsPerCredit
}
