import { Problem } from '../../core/problem.ts'
import type { Change, RuleContext, Ruled } from '../../core/declaration/rules.ts'
import { broadcastMessages, type Broadcast, type SkipReason } from '../../collections/broadcasts.ts'
import { messages, type Message } from '../../collections/messages.ts'
import { complete, contentFaults, type ContentDefaults } from '../messages/content.ts'
import { createMessage } from '../messages/create-message.ts'
import { asMessage } from '../messages/stored-message.ts'
import type { Job } from './job.ts'

/** What became of a recipient; `stopped`: no message can be made now, for anybody. */
export type Made =
  | { readonly message: Message }
  | { readonly skipped: SkipReason }
  | { readonly stopped: NonNullable<Broadcast['stateReason']> }

/**
 * Makes a message of its draft, as a client's request for it would be taken in, and notes that the
 * address has its message. A refusal has written nothing.
 */
export async function makeMessage(job: Job, draft: Message): Promise<Made> {
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

/** Why a message cannot be made of its own content; null where it can. */
export function unfitness(
  draft: Message,
  { maxParts }: Pick<Broadcast, 'maxParts'>,
  defaults: ContentDefaults,
): SkipReason | null {
  const message = complete(draft, defaults)
  if (contentFaults(message, Infinity, defaults).length > 0) return 'unencodable'
  return message.numberOfParts > maxParts ? 'tooLong' : null
}

/** What the refusal of one message means for the broadcast. Throws what is no refusal. */
function refusalOf(
  error: unknown,
  draft: Message,
  broadcast: Broadcast,
  defaults: ContentDefaults,
): Made {
  if (!(error instanceof Problem)) throw error
  const unfit = unfitness(draft, broadcast, defaults)
  if (unfit !== null) return { skipped: unfit }
  if (error.problem === 'insufficient-credits') return { stopped: 'INSUFFICIENT_CREDITS' }
  const at = error.errors.flatMap((fault) => ('pointer' in fault ? [fault.pointer] : []))
  if (at.includes('/from')) return { stopped: 'SENDER_REFUSED' }
  if (at.includes('/carrier')) return { stopped: 'CARRIER_GONE' }
  throw error
}

/** The slice does what its account could ask for. */
function contextOf({ writer, transaction, newId, clock }: Job): RuleContext {
  const principal = { account: writer.account, keyId: '', scopes: [], administrator: false }
  return { principal, version: '', clock, newId, writer, transaction }
}
