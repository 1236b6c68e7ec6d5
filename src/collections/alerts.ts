import { alertTypes } from '../core/ports/notification-log.ts'
import {
  choice,
  integer,
  object,
  text,
  timestampField,
  type ValueOf,
} from '../core/declaration/field.ts'

/** Fields of a notification about a webhook, in their order on the wire. */
export const alertFields = {
  id: text({ description: 'Its identifier.' }),
  type: choice(alertTypes, {
    description: 'Whether the service disabled the webhook, or a delivery succeeded after that.',
  }),
  webhook: object(
    { id: text(), name: text({ nullable: true }) },
    { description: 'The webhook that changed.' },
  ),
  state: choice(['ACTIVE', 'RETRYING', 'DISABLED'], {
    description: 'The state of the webhook at that moment.',
  }),
  stateReason: text({ nullable: true, description: 'Cause of the state.' }),
  lag: integer({
    nullable: true,
    description: 'Number of undelivered notifications; null if the count failed.',
  }),
  date: timestampField({ description: 'When it happened.' }),
} as const

/** A notification about a webhook. */
export type AlertRecord = {
  readonly [K in keyof typeof alertFields]: ValueOf<(typeof alertFields)[K]>
}
