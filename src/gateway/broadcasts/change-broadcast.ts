import type { Fields } from '../../core/declaration/field.ts'
import { sameJson, type JsonObject } from '../../core/json.ts'
import { Problem } from '../../core/problem.ts'
import type { Change, RuleContext, Ruled } from '../../core/declaration/rules.ts'
import { broadcasts, type Broadcast } from '../../collections/broadcasts.ts'
import type { ContentDefaults } from '../messages/content.ts'
import { checkBroadcast, planned } from './create-broadcast.ts'

/**
 * Changes a broadcast that has not begun; of any other only its name. What says the same again changes
 * nothing, whatever became of it meanwhile.
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
  return { instance: await planned(wanted, context, defaults), hidden }
}

/** Tells whether two broadcasts are the same in all that a client sets, apart from some fields. */
export function sameBut(names: readonly string[], a: JsonObject, b: JsonObject): boolean {
  return settable.every((name) => names.includes(name) || sameJson(a[name], b[name]))
}

const fields: Fields = broadcasts.fields
const settable = Object.keys(fields).filter((name) => {
  const field = fields[name]
  return field?.readOnly !== true && field?.internal !== true
})
