import { correlationText } from '../../core/correlation.ts'
import { type JsonObject, sameJson } from '../../core/json.ts'
import { invalidBody, Problem } from '../../core/problem.ts'
import type { Change, RuleContext, Ruled } from '../../core/declaration/rules.ts'
import { skipReasons, type Broadcast, broadcasts } from '../../collections/broadcasts.ts'
import { sentStatuses } from '../../collections/messages.ts'
import type { ContentDefaults } from '../messages/content.ts'
import { waitingMax, dueAt, refuseForeignNumber, senderNumber } from '../messages/create-message.ts'
import { broadcastFaults } from './broadcast-faults.ts'
import { estimate } from './estimate.ts'
import { firstCursor } from './recipient-page.ts'
import { putWork } from './work.ts'
import type { Fields } from '../../core/declaration/field.ts'

/** Stores a new broadcast, with the work of creating its messages. */
export async function createBroadcast(
  { after }: Change,
  context: RuleContext,
  defaults: ContentDefaults,
): Promise<Ruled> {
  const wanted = begun(after)
  // Its messages count when the loop creates them, which waits while the account has no room.
  defaults.waiting?.add(context.writer.account, 1, waitingMax(context))
  await checkBroadcast(wanted, null, context, defaults)
  const instance = await scheduleBroadcast(wanted, context, defaults)
  const tally = context.newId('tally')
  await context.writer.setCounters(tally, sentStatuses)
  const correlation =
    context.correlation === undefined ? null : correlationText(context.correlation)
  return { instance, hidden: { tally, correlation, place: { ...firstCursor } } }
}

/** Throws the faults of a broadcast. */
export async function checkBroadcast(
  wanted: Broadcast,
  before: Broadcast | null,
  context: RuleContext,
  defaults: ContentDefaults,
): Promise<void> {
  const sender = { type: 'SENT', from: wanted.from } as const
  const number = await senderNumber(sender, context, defaults)
  refuseForeignNumber(number, sender, context, defaults)
  const faults = await broadcastFaults(wanted, before, context, defaults)
  if (faults.length > 0) throw invalidBody(faults)
}

/** Schedules the work of a broadcast, and returns the broadcast with its state and estimate. */
export async function scheduleBroadcast(
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

/** Returns a new broadcast, with all counts zero. */
function begun(after: JsonObject): Broadcast {
  const skipped = Object.fromEntries(skipReasons.map((reason) => [reason, 0]))
  const recipients = { seen: 0, messages: 0, ...skipped }
  return { ...after, recipients, creditCost: 0 } as unknown as Broadcast
}

/**
 * Changes a broadcast that has not begun; of any other, only its name. A request without a
 * difference changes nothing, in any state.
 */
export async function changeBroadcast(
  { after, hiddenAfter: hidden }: Change,
  before: Broadcast,
  context: RuleContext,
  defaults: ContentDefaults,
): Promise<Ruled> {
  const wanted = after as unknown as Broadcast
  if (sameBut(['name'], wanted, before)) return { instance: wanted, hidden }
  if (before.state !== 'SCHEDULED') {
    const cure = 'only its name can be changed'
    throw new Problem('conflict', `The broadcast has begun (${before.state}): ${cure}.`)
  }
  await checkBroadcast(wanted, before, context, defaults)
  return { instance: await scheduleBroadcast(wanted, context, defaults), hidden }
}

/** Returns whether two broadcasts agree in all fields that a client sets, except those named. */
export function sameBut(names: readonly string[], a: JsonObject, b: JsonObject): boolean {
  return settable.every((name) => names.includes(name) || sameJson(a[name], b[name]))
}

const fields: Fields = broadcasts.fields
const settable = Object.keys(fields).filter((name) => {
  const field = fields[name]
  return field?.readOnly !== true && field?.internal !== true
})
