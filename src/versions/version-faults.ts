import { qualifiedName, type Collection } from '../core/declaration/collection.ts'
import type { Field } from '../core/declaration/field.ts'
import { didYouMean } from '../core/declaration/nearest.ts'
import type { Version, VersionChange } from '../core/declaration/version.ts'

/** A change without a target: its path and the fault, as "names …" or "leads to …". */
export interface VersionFault {
  /** Its place among the versions. */
  readonly version: number
  /** Its place among the changes of that version. */
  readonly change: number
  readonly detail: string
}

/** The fields of a collection as a version knows them; null for those that every instance has. */
type Known = Map<string, Field | null>

/**
 * Finds changes that name something undeclared or leave a client without an alternative. The
 * versions start with the oldest. The collections are those of the newest version.
 */
export function versionFaults(
  declared: readonly Version[],
  collections: readonly Collection[],
): readonly VersionFault[] {
  const known = new Map(collections.map((each) => [qualifiedName(each), fieldsOf(each)]))
  const faults: VersionFault[] = []
  for (const [version, { changes }] of [...declared.entries()].toReversed()) {
    for (const [index, change] of [...changes.entries()].toReversed()) {
      const detail = undo(change, known)
      if (detail !== null) faults.unshift({ version, change: index, detail })
    }
  }
  return faults
}

function fieldsOf({ fields }: Collection): Known {
  const declared = Object.entries(fields).filter(([, { internal }]) => internal !== true)
  return new Map<string, Field | null>([
    ['id', null],
    ...declared,
    ['createdAt', null],
    ['updatedAt', null],
  ])
}

/** Undoes a change in a table of names. Returns its fault, or null. */
function undo(change: VersionChange, known: Map<string, Known>): string | null {
  switch (change.kind) {
    case 'collectionRenamed':
      return undoRename(change.from, change.to, known)
    case 'collectionAdded':
      return within(change.collection, known, () => {
        for (const name of below(change.collection, known)) known.delete(name)
        return null
      })
    default:
      return within(change.collection, known, (fields) => undoField(change, fields))
  }
}

function undoRename(from: string, to: string, known: Map<string, Known>): string | null {
  const moved = below(to, known)
  if (moved.length === 0)
    return `leads to ${to}, and there is no such collection.${meant(to, known)}`
  if (below(from, known).length > 0) return `names ${from}, which is a collection still.`
  for (const name of moved) {
    known.set(from + name.slice(to.length), known.get(name) ?? new Map())
    known.delete(name)
  }
  return null
}

function undoField(
  change: Exclude<VersionChange, { readonly kind: `collection${string}` }>,
  fields: Known,
): string | null {
  const { collection } = change
  const [after, before] =
    change.kind === 'fieldRenamed' ? [change.to, change.from] : [change.field, change.field]
  if (change.kind === 'fieldRemoved') {
    if (fields.has(before)) return `names ${collection}.${before}, which is still there.`
    fields.set(before, null)
    return null
  }
  const field = fields.get(after)
  if (field === undefined) {
    return `names ${collection}.${after}, and there is no such field.${meant(after, fields)}`
  }
  if (field === null) return `names ${collection}.${after}, which is the same in every version.`
  if (change.kind === 'fieldAdded' && field.required === true) {
    const cure = 'Give it a default in place of required.'
    return `names ${collection}.${after}, which clients of the version before cannot give. ${cure}`
  }
  if (change.kind === 'fieldRenamed' && fields.has(before)) {
    return `names ${collection}.${before}, which is a field still.`
  }
  fields.delete(after)
  if (change.kind !== 'fieldAdded') fields.set(before, field)
  return null
}

function within(
  collection: string,
  known: ReadonlyMap<string, Known>,
  work: (fields: Known) => string | null,
): string | null {
  const fields = known.get(collection)
  if (fields !== undefined) return work(fields)
  return `names ${collection}, and there is no such collection.${meant(collection, known)}`
}

/** Returns a collection and those that are nested in it. */
function below(name: string, known: ReadonlyMap<string, Known>): readonly string[] {
  return [...known.keys()].filter((each) => each === name || each.startsWith(`${name}/`))
}

function meant(name: string, known: ReadonlyMap<string, unknown>): string {
  return didYouMean(name, known.keys())
}
