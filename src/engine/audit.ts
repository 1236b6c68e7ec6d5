import type { Collection } from '../core/declaration/collection.ts'
import type { JsonObject } from '../core/json.ts'
import type { Principal } from '../core/declaration/rules.ts'
import type { Writer } from '../core/ports/store.ts'
import { timestamp } from '../core/timestamp.ts'
import type { Engine, OperationRequest } from './operation.ts'

/** The action of an audit event about a change. */
export type AuditedAction = 'CREATED' | 'REPLACED' | 'CHANGED' | 'DELETED' | 'SIGNED_IN'

/** Contents of an audit event besides its request. */
interface AuditedChange {
  readonly declared: Collection
  readonly action: AuditedAction
  readonly parent: string | null
  readonly id: string
  readonly fields: readonly string[]
}

/** Records a change in its transaction, if its collection is audited: neither exists without the other. */
export async function recordChange(
  { principal, version, origin }: Pick<OperationRequest, 'principal' | 'version' | 'origin'>,
  { declared, action, parent, id, fields }: AuditedChange,
  writer: Writer,
  { catalogue, clock, newId }: Pick<Engine, 'catalogue' | 'clock' | 'newId'>,
): Promise<void> {
  const events = declared.audited ? catalogue.find('auditEvents')?.declared : undefined
  if (events === undefined) return
  const date = timestamp(clock.now())
  const below = declared.parent === null ? '' : `${declared.parent}/${parent}/`
  const event = {
    id: newId(events.noun),
    date,
    action,
    actor: actorOf(principal),
    resource: `/${version}/${below}${declared.name}/${id}`,
    fields,
    clientAddress: origin?.clientAddress() ?? null,
    requestId: origin?.correlation.requestId ?? null,
    account: writer.account,
    createdAt: date,
    updatedAt: date,
  }
  await writer.save(events, { id: event.id }, event, null)
}

/** Returns who made a request, as an audit event names it; null for the service itself. */
export function actorOf({ keyId, account, person }: Principal): JsonObject | null {
  if (keyId === '') return null
  return { key: keyId, account, ...(person === undefined ? {} : { person }) }
}
