import type { Instance } from '../api/client.ts'
import type { CollectionDescription } from '../api/collection.ts'
import type { FieldDescription } from '../api/field.ts'

/** A single value of an instance: a field, or a member of an object. */
export interface Leaf {
  /** Dotted, such as `status.type`. */
  readonly path: string
  readonly field: FieldDescription
  /** Computes a value that no field has. */
  readonly compute?: (instance: Instance) => unknown
}

/** Columns of a list that a user has not changed: what fits a screen. */
const usualMax = 6

/** Returns the values of an instance that a column can show. */
export function leavesOf(fields: readonly FieldDescription[], before = ''): readonly Leaf[] {
  return fields.flatMap((field) => {
    const path = before + field.name
    if (field.writeOnly) return []
    return field.kind === 'object' ? leavesOf(field.members, `${path}.`) : [{ path, field }]
  })
}

/** Columns of collections whose first fields are not their most useful ones. */
const usualByPath: Readonly<Record<string, readonly string[]>> = {
  webhooks: ['name', 'state', 'lag', 'url', 'stateReason', 'lastSuccessAt'],
  'webhooks/deliveries': [
    'date',
    'outcome',
    'statusCode',
    'durationMs',
    'attempt',
    'error',
    'messageIds',
  ],
  'webhooks/replays': ['createdAt', 'state', 'from', 'until', 'sent', 'setAside', 'stateReason'],
  broadcasts: [
    'name',
    'state',
    'body',
    'estimate.messages',
    'messageCounts.delivered',
    'messageCounts.failed',
    'createdAt',
  ],
  'broadcasts/messages': ['to', 'body', 'status.id', 'numberOfParts', 'creditCost', 'createdAt'],
  auditEvents: ['date', 'action', 'resource', 'fields', 'clientAddress'],
}

/** Returns true if an administrator's list of a collection covers all accounts. */
export function coversAccounts({ parent, fields }: CollectionDescription): boolean {
  return parent === null && fields.some(({ name }) => name === 'account')
}

/** Returns what identifies a row: several accounts can have an instance of the same name. */
export function rowKey(instance: Instance): string {
  const { id, account } = instance
  return typeof account === 'string' ? `${account}/${id}` : id
}

/** Returns the columns of a list that a user has not changed; with the account if there are several. */
export function listColumns(
  collection: CollectionDescription,
  isOfAllAccounts: boolean,
): readonly string[] {
  const columns = usualColumns(collection).filter((path) => path !== 'account')
  const [first = 'id', ...others] = columns
  return isOfAllAccounts && coversAccounts(collection) ? [first, 'account', ...others] : columns
}

function usualColumns({ path, fields }: CollectionDescription): readonly string[] {
  const known = usualByPath[path]
  if (known !== undefined) return known
  const leaves = leavesOf(fields)
  const names = new Set(leaves.map(({ path }) => path))
  const first = ['name', 'address', 'prefix', 'date', 'action'].filter((path) => names.has(path))
  const others = leaves
    .filter(({ field }) => !['json', 'map'].includes(field.kind) && field.item?.kind !== 'object')
    .map(({ path }) => path)
    .filter((path) => !['id', 'createdAt', 'updatedAt', ...first].includes(path))
  const shown = [...first, ...others].slice(0, usualMax)
  const head = first.includes('name') || first.includes('address') ? [] : ['id']
  return [...head, ...shown, ...(first.includes('date') ? [] : ['createdAt'])].filter((path) =>
    names.has(path),
  )
}

/** Returns the value at a dotted path. */
export function valueAt(instance: Instance, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null) return undefined
    return Reflect.get(value, name)
  }, instance)
}

/** Writes the name of a field as people read it: `lastSuccessAt` becomes `Last success`. */
export function fieldTitle(path: string): string {
  const known = titles[path]
  if (known !== undefined) return known
  const words = path
    .replace(/At$/, '')
    .replace(/Ms$/, ' (ms)')
    .replaceAll('.', ' ')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Writes the name of a field next to its value, which has a unit where the name of an input has one. */
export function shownTitle(path: string): string {
  return fieldTitle(path).replace(' (ms)', '')
}

const titles: Readonly<Record<string, string>> = {
  id: 'Identifier',
  'status.id': 'Status',
  'estimate.messages': 'Estimate',
  'messageCounts.delivered': 'Delivered',
  'messageCounts.failed': 'Failed',
  setAside: 'Refused',
  'status.type': 'Status type',
  'submission.date': 'Submitted',
  url: 'URL',
  numberOfParts: 'Parts',
  creditCost: 'Credits',
  userSuppliedId: 'Your identifier',
  optOuts: 'Opt-outs',
  auditEvents: 'Audit',
  maintenanceWindows: 'Maintenance',
  durationMs: 'Duration',
  active: 'Active',
}
