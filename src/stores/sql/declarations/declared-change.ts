import type { Collection } from '../../../core/declaration/collection.ts'
import type { Field, Fields } from '../../../core/declaration/field.ts'
import { isHidden } from '../../complete.ts'
import { reasons, type Violation, type Constraint } from '../tables/constraint.ts'
import type { AddedField } from './unfinished.ts'

/** The differences between the declaration of stored rows and the present one. */
export interface ChangedDeclaration {
  /** True if the texts of the rows must be rewritten. */
  readonly texts: boolean
  readonly added: readonly AddedField[]
  /** True if the searched texts must be rewritten. */
  readonly search: boolean
  readonly demands: readonly Constraint[]
}

/** Compares two declarations of one collection. */
export function declaredChange(before: Collection, after: Collection): ChangedDeclaration {
  const change: Change = { removed: after.removedFields, added: [], demands: [], texts: false }
  if (after.administratorsOnly && !before.administratorsOnly) {
    const path = 'administratorsOnly'
    change.demands.push({ ...reasons.owner, path, names: [], source: 'doc' })
  }
  compareFields(stored(before.fields), stored(after.fields), top, change)
  const searched = String(after.searchedBy) !== String(before.searchedBy)
  const found = change.added.some(({ path: [name = ''] }) => after.searchedBy.includes(name))
  return { ...change, search: searched || found }
}

/** The result of the comparison so far. */
interface Change {
  readonly removed: readonly string[]
  readonly added: AddedField[]
  readonly demands: Constraint[]
  texts: boolean
}

/** The position of a field. */
interface Place {
  /** The names that lead to it; `*` for any name in a map. */
  readonly names: readonly string[]
  /** The names of fields alone, as `removedFields` has them. */
  readonly dotted: readonly string[]
  /** The list or map around it, the deepest value that a query examines. */
  readonly list: readonly string[] | null
  readonly source: 'doc' | 'hidden'
}

const top: Place = { names: [], dotted: [], list: null, source: 'doc' }

function compareFields(before: Fields, after: Fields, around: Place, change: Change): void {
  for (const [name, field] of Object.entries(before)) {
    const place = placeOf(name, field, around)
    const next = Object.hasOwn(after, name) ? after[name] : undefined
    if (next !== undefined) compareField(field, next, place, change)
    else {
      change.texts = true
      if (!change.removed.includes(place.dotted.join('.'))) insist('removed', place, change)
    }
  }
  for (const [name, field] of Object.entries(after)) {
    if (!Object.hasOwn(before, name)) addField(field, placeOf(name, field, around), change)
  }
}

function addField(field: Field, place: Place, change: Change): void {
  if (place.source === 'hidden') return
  const value = field.default ?? null
  change.texts = true
  change.added.push({ path: place.names, value })
  if (value === null && !mayBeNull(field)) insist('required', place, change)
}

function compareField(before: Field, after: Field, place: Place, change: Change): void {
  if (place.dotted.length === 1 && isHidden(before) !== isHidden(after)) {
    return insist('hidden', place, change)
  }
  const isShown = place.source === 'doc'
  if (isShown && mayBeNull(before) && !mayBeNull(after)) insist('nullable', place, change)
  if (before.kind === 'object' && after.kind === 'object') {
    compareFields(before.properties, after.properties, place, change)
  } else if (before.kind === 'array' && after.kind === 'array') {
    compareField(before.items, after.items, within(place), change)
  } else if (before.kind === 'map' && after.kind === 'map') {
    compareField(before.values, after.values, within(place, '*'), change)
  } else if (before.kind === 'choice' && after.kind === 'choice') {
    compareChoices(before.enum, after.enum, place, change)
  } else if (!holdsAll(after, before)) insist('kind', place, change)
}

function compareChoices(
  before: readonly string[],
  after: readonly string[],
  place: Place,
  change: Change,
): void {
  const lost = before.filter((value) => !after.includes(value))
  if (lost.length === 0) return
  const detail =
    `no longer lists ${lost.join(', ')}, and … a value that is not listed. ` +
    'Change them first, or list it again.'
  demand({ breach: { is: 'other', than: after }, detail }, place, change)
}

/** Returns true if every value of one field is a value of the other. */
function holdsAll(after: Field, before: Field): boolean {
  if (after.kind === 'reference' && before.kind === 'reference') {
    return after.collection === before.collection
  }
  if (after.kind === before.kind) return true
  if (after.kind === 'number') return before.kind === 'integer'
  return after.kind === 'text' && ['choice', 'reference', 'timestamp'].includes(before.kind)
}

function insist(reason: keyof typeof reasons, place: Place, change: Change): void {
  demand(reasons[reason], place, change)
}

/** The elements of a list or map are not examined: any value may violate the constraint. */
function demand(
  { breach, detail }: { readonly breach: Violation; readonly detail: string },
  { names, dotted, list, source }: Place,
  change: Change,
): void {
  const looked =
    list === null ? { names, breach } : { names: list, breach: { is: 'value' } as const }
  change.demands.push({ ...looked, path: `fields.${dotted.join('.')}`, source, detail })
}

function placeOf(name: string, field: Field, around: Place): Place {
  const names = [...around.names, name]
  const dotted = [...around.dotted, name]
  const isTop = around.dotted.length === 0
  return { ...around, names, dotted, source: isTop && isHidden(field) ? 'hidden' : around.source }
}

function within(place: Place, ...anyName: readonly string[]): Place {
  return { ...place, names: [...place.names, ...anyName], list: place.list ?? place.names }
}

/** Read-only fields are null until the service sets them. */
function mayBeNull(field: Field): boolean {
  return field.nullable === true || field.readOnly === true
}

/** Live fields are computed at each read. */
function stored(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field.live !== true))
}
