import type { JsonObject } from '../../core/json.ts'
import { invalidBody } from '../../core/problem.ts'
import type { Change, RuleContext, Ruled } from '../../core/declaration/rules.ts'
import { skipReasons, type Broadcast } from '../../collections/broadcasts.ts'
import { sentStatuses } from '../../collections/messages.ts'
import type { ContentDefaults } from '../messages/content.ts'
import { dueAt } from '../messages/create-message.ts'
import { refuseAnothers, senderNumber } from '../messages/sender-number.ts'
import { broadcastFaults } from './broadcast-faults.ts'
import { estimate } from './estimate.ts'
import { firstPlace } from './recipients.ts'
import { putWork } from './work.ts'

/** Puts a new broadcast on record, and the work of making its messages with it. */
export async function createBroadcast(
  { after }: Change,
  context: RuleContext,
  defaults: ContentDefaults,
): Promise<Ruled> {
  const wanted = begun(after)
  await checkBroadcast(wanted, null, context, defaults)
  const instance = await planned(wanted, context, defaults)
  const tally = context.newId('tally')
  await context.writer.beginCounter(tally, sentStatuses)
  return { instance, hidden: { tally, place: { ...firstPlace } } }
}

/** Throws what is wrong with a broadcast. */
export async function checkBroadcast(
  wanted: Broadcast,
  before: Broadcast | null,
  context: RuleContext,
  defaults: ContentDefaults,
): Promise<void> {
  const sender = { type: 'SENT', from: wanted.from } as const
  refuseAnothers(await senderNumber(sender, context, defaults), context)
  const faults = await broadcastFaults(wanted, before, context, defaults)
  if (faults.length > 0) throw invalidBody(faults)
}

/** The broadcast as it begins, now or at its time. */
export async function planned(
  wanted: Broadcast,
  context: RuleContext,
  defaults: ContentDefaults,
): Promise<Broadcast> {
  const { clock, writer, transaction } = context
  const now = clock.now()
  const key = { account: writer.account, broadcast: wanted.id }
  await putWork(transaction, key, { task: 'MAKE', dueAt: dueAt(wanted.scheduledAt, now) }, now)
  return {
    ...wanted,
    state: wanted.scheduledAt === null ? 'RUNNING' : 'SCHEDULED',
    estimate: await estimate(context, wanted, defaults),
  }
}

/** Nobody is served yet. */
function begun(after: JsonObject): Broadcast {
  const skipped = Object.fromEntries(skipReasons.map((reason) => [reason, 0]))
  const recipients = { seen: 0, messages: 0, ...skipped }
  return { ...after, recipients, creditCost: 0 } as unknown as Broadcast
}
