import { collection, type InstanceOf } from '../core/declaration/collection.ts'
import { integer, text, timestampField } from '../core/declaration/field.ts'
import { invalidBody, type InputError } from '../core/problem.ts'
import type { JsonObject } from '../core/json.ts'
import type { Rules } from '../core/declaration/rules.ts'

/** A time in which the service answers 503 to all but administrators who read. */
export const maintenanceWindows = collection({
  name: 'maintenanceWindows',
  noun: 'maintenance',
  description: 'A time in which requests get 503, except reads of administrators.',
  administratorsOnly: true,
  audited: true,
  fields: {
    reason: text({ maxLength: 500, nullable: true, description: 'Reason in the responses.' }),
    retryAfterSeconds: integer({
      minimum: 1,
      maximum: 86_400,
      default: 300,
      description: '`Retry-After` of the responses.',
    }),
    startsAt: timestampField({ nullable: true, description: 'When it starts; null: immediately.' }),
    endsAt: timestampField({
      nullable: true,
      description: 'When it ends; null: when it is deleted.',
    }),
  },
})

/** A maintenance window as it is served. */
export type MaintenanceWindow = InstanceOf<typeof maintenanceWindows>

/** The rules of maintenance windows: one ends after it begins. */
export const maintenanceRules: Rules = {
  faults: async ({ after }) => faults(after),
  write: async ({ after, hiddenAfter }) => {
    const errors = faults(after)
    if (errors.length > 0) throw invalidBody(errors)
    return { instance: after, hidden: hiddenAfter }
  },
}

function faults(after: JsonObject): readonly InputError[] {
  const { startsAt = null, endsAt = null } = after as Partial<MaintenanceWindow>
  const isOrdered = startsAt === null || endsAt === null || startsAt < endsAt
  return isOrdered ? [] : [{ pointer: '/endsAt', detail: 'must be after startsAt' }]
}
