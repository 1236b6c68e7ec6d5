import { collection, type InstanceOf } from '../core/collection.ts'
import { integer, text, timestampField } from '../core/field.ts'
import { invalidBody } from '../core/problem.ts'
import type { Rules } from '../core/rules.ts'

/** A time in which the service answers 503 to all but administrators who read. */
export const maintenanceWindows = collection({
  name: 'maintenanceWindows',
  noun: 'maintenance',
  description: 'A time in which every node answers 503, except to administrators who read.',
  administratorsOnly: true,
  fields: {
    reason: text({ maxLength: 500, nullable: true, description: 'What clients are told.' }),
    retryAfterSeconds: integer({
      minimum: 1,
      maximum: 86_400,
      default: 300,
      description: 'The `Retry-After` of the answers.',
    }),
    startsAt: timestampField({ nullable: true, description: 'When it begins; null: at once.' }),
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
  write: async ({ after, hiddenAfter }) => {
    const { startsAt, endsAt } = after as MaintenanceWindow
    if (startsAt !== null && endsAt !== null && endsAt <= startsAt) {
      throw invalidBody([{ pointer: '/endsAt', detail: 'must be after startsAt' }])
    }
    return { instance: after, hidden: hiddenAfter }
  },
}
