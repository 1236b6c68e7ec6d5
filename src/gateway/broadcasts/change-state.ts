import type { JsonValue } from '../../core/json.ts'
import { mayFollow } from '../../core/declaration/collection.ts'
import { invalidBody, Problem, type InputError } from '../../core/problem.ts'
import type { Change, RuleContext, Ruled } from '../../core/declaration/rules.ts'
import { timestamp } from '../../core/timestamp.ts'
import { broadcastStates, type Broadcast } from '../../collections/broadcasts.ts'
import { sameBut } from './create-broadcast.ts'
import { firstCursor } from './recipient-page.ts'
import { endWork, putWork } from './work.ts'

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
