import { correlationText } from '../../core/correlation.ts'
import type { Fields } from '../../core/declaration/field.ts'
import { mayFollow } from '../../core/declaration/collection.ts'
import { type JsonObject, type JsonValue, sameJson } from '../../core/json.ts'
import { invalidBody, Problem, type InputError } from '../../core/problem.ts'
import type { Change, RuleContext, Ruled } from '../../core/declaration/rules.ts'
import { timestamp } from '../../core/timestamp.ts'
import {
  broadcasts,
  broadcastStates,
  skipReasons,
  type Broadcast,
} from '../../collections/broadcasts.ts'
import { sentStatuses } from '../../collections/messages.ts'
import type { ContentDefaults } from '../messages/content.ts'
import { waitingMax, dueAt, refuseForeignNumber, senderNumber } from '../messages/create-message.ts'
import { broadcastFaults } from './broadcast-faults.ts'
import { estimate } from './estimate.ts'
import { firstCursor } from './recipient-page.ts'
import { endWork, putWork } from './work.ts'

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
async function checkBroadcast(
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
async function scheduleBroadcast(
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

/** The states that a client can request. */
const askable = ['RUNNING', 'PAUSED', 'CANCELLED'] as const

type Asked = (typeof askable)[number]

/**
 * Returns the state that a PATCH requests; null if it requests none or the present one. A PUT
 * requests none: it repeats the state of the GET before it.
 */
export function requestedState(change: Change, before: Broadcast): Asked | null {
  if (stateFaults(change, before).length > 0) throw invalidBody([stateFault])
  const state = stateIn(change, before)
  return askable.find((each) => each === state) ?? null
}

/** Returns the faults of a requested state. */
export function stateFaults(change: Change, before: Broadcast): readonly InputError[] {
  const state = stateIn(change, before)
  return state === null || askable.some((each) => each === state) ? [] : [stateFault]
}

const stateFault: InputError = {
  pointer: '/state',
  detail: `must be one of ${askable.join(', ')}`,
}

function stateIn({ method, body }: Change, before: Broadcast): JsonValue {
  const state = method === 'PATCH' ? body['state'] : null
  return state === undefined || state === before.state ? null : state
}

/** Pauses, resumes or cancels a broadcast. */
export async function changeState(
  asked: Asked,
  { after, hiddenAfter: hidden }: Change,
  before: Broadcast,
  context: RuleContext,
): Promise<Ruled> {
  if (!mayFollow(broadcastStates, before.state, asked) || isStart(asked, before)) {
    throw new Problem('conflict', `The broadcast is ${before.state}: it cannot become ${asked}.`)
  }
  if (!sameBut([], after, before)) {
    throw new Problem('conflict', 'Change the state of a broadcast without changing it otherwise.')
  }
  const { clock, writer, transaction } = context
  const now = clock.now()
  const key = { account: writer.account, broadcast: before.id }
  const instance = { ...before, state: asked, stateReason: null }
  if (asked === 'PAUSED') {
    await endWork(transaction, key)
    return { instance, hidden }
  }
  if (asked === 'RUNNING') {
    await putWork(transaction, key, { task: 'MAKE', dueAt: now }, now)
    return { instance, hidden }
  }
  if (before.state === 'DONE' && !(await anyWaits(hidden?.['tally'], context))) {
    throw new Problem('conflict', 'The broadcast is DONE, and none of its messages waits.')
  }
  await putWork(transaction, key, { task: 'CANCEL', dueAt: now }, now)
  const endedAt = timestamp(now)
  return { instance: { ...instance, endedAt }, hidden: { ...hidden, place: { ...firstCursor } } }
}

/** Returns whether a client tries to start a scheduled broadcast: it changes `scheduledAt` instead. */
function isStart(asked: Asked, { state }: Broadcast): boolean {
  return asked === 'RUNNING' && state === 'SCHEDULED'
}

async function anyWaits(tally: JsonValue | undefined, { writer }: RuleContext): Promise<boolean> {
  const subject = typeof tally === 'string' ? tally : ''
  const counts = (await writer.findCounters(writer.account, [subject])).get(subject)
  return (counts?.['ACCEPTED'] ?? 0) + (counts?.['SCHEDULED'] ?? 0) > 0
}

/** Returns whether two broadcasts agree in all fields that a client sets, except those named. */
function sameBut(names: readonly string[], a: JsonObject, b: JsonObject): boolean {
  return settable.every((name) => names.includes(name) || sameJson(a[name], b[name]))
}

const fields: Fields = broadcasts.fields
const settable = Object.keys(fields).filter((name) => {
  const field = fields[name]
  return field?.readOnly !== true && field?.internal !== true
})
