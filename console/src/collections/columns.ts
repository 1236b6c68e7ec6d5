import type { Instance } from '../api/client.ts'
import type { CollectionDescription } from '../api/collection.ts'
import type { FieldDescription } from '../api/field.ts'

/** A single value of an instance: a field, or a member of an object. */
export interface Leaf {
  /** Dotted, such as `status.type`. */
  readonly path: string
  readonly field: FieldDescription
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

/** Returns the columns of a collection that a user has not changed. */
export function usualColumns({ fields }: CollectionDescription): readonly string[] {
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

const titles: Readonly<Record<string, string>> = {
  id: 'Identifier',
  'status.id': 'Status',
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
