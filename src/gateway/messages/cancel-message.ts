import { isJsonObject, sameJson, type JsonValue } from '../../core/json.ts'
import { invalidBody, Problem, type InputError } from '../../core/problem.ts'
import type { Change, Ruled } from '../../core/declaration/rules.ts'
import type { Message } from '../../collections/messages.ts'
import { dequeueMessage, wantedMessage, type MessageUpdate } from './change-message.ts'
import { sameContent } from './content.ts'
import { refund } from '../credits/credits.ts'
import { recordStatus } from './stored-message.ts'
import { advance } from './status.ts'

/**
 * Returns the status type that a PATCH requests; null if it requests none or the present one. A PUT
 * requests none: it repeats the status of the GET before it.
 */
export function askedStatus({ method, body }: Change, before: Message): string | null {
  const status = body['status']
  if (method !== 'PATCH' || status === undefined || status === null) return null
  if (sameJson(status, { ...before.status })) return null
  const type = typeOf(status)
  if (type === null) throw invalidBody([statusFault])
  return type === before.status.type ? null : type
}

/** Returns the faults of a requested status. */
export function statusFaults({ method, body }: Change, before: Message): readonly InputError[] {
  const status = body['status']
  const asks = method === 'PATCH' && status !== undefined && status !== null
  const isFaulty = asks && !sameJson(status, { ...before.status }) && typeOf(status) === null
  return isFaulty ? [statusFault] : []
}

const statusFault: InputError = {
  pointer: '/status',
  detail: 'must be {"type": "CANCELLED"}; no other status can be set',
}

function typeOf(status: JsonValue): string | null {
  if (!isJsonObject(status)) return null
  const { type } = status
  const knowsAll = Object.keys(status).every((name) => name === 'type' || name === 'id')
  return knowsAll && typeof type === 'string' ? type : null
}

/** Cancels a waiting message and keeps its record. Refuses any other status with 409. */
export async function cancelMessage(asked: string, update: MessageUpdate): Promise<Ruled> {
  const { change, before, context } = update
  if (asked !== 'CANCELLED') {
    throw new Problem('conflict', 'The only status that a client can set is CANCELLED.')
  }
  if (!sameContent(await wantedMessage(update), before)) {
    throw new Problem('conflict', 'Cancel a message without changing it otherwise.')
  }
  await dequeueMessage(before, context.writer, 'cancelled')

  const now = context.clock.now()
  const message = advance(before, { type: 'CANCELLED', detail: null }, now)
  if (message === null) throw new Problem('conflict', `The message is ${before.status.type}.`)
  await refund(before, { ...context, account: context.writer.account, at: now })
  await recordStatus(context, message, change.hiddenBefore, now)
  return { instance: message, hidden: change.hiddenBefore }
}
