import { revisionOf } from '../../src/stores/sql/rows/row.ts'
import type { AccountId } from '../../src/core/account.ts'
import { type Collection, qualifiedName } from '../../src/core/declaration/collection.ts'
import type { Field, Fields } from '../../src/core/declaration/field.ts'
import type { JsonObject } from '../../src/core/json.ts'
import {
  type Reader,
  type Stored,
  UniqueViolation,
  type Writer,
} from '../../src/core/ports/store.ts'
import type { Effects } from '../../src/stores/commit.ts'
import { fieldValue } from './query.ts'
import { checkKnown, memoryReader, parentIn } from './reader.ts'
import { type Draft, type InstanceRow, keyOf } from './state.ts'

/** Writes instances of one account into a draft. */
export function memoryInstances(
  draft: Draft,
  effects: Effects,
  collections: readonly Collection[],
  account: AccountId,
): Reader & Pick<Writer, 'account' | 'save' | 'add' | 'lock' | 'remove'> {
  const reader = memoryReader(draft.see, collections, account)
  const own: Pick<Writer, 'save' | 'add' | 'lock' | 'remove'> = {
    save: async (collection, key, instance, hidden) => {
      checkKnown(collections, collection)
      const name = qualifiedName(collection)
      const parent = parentIn(collection, key)
      const doc = JSON.stringify(instance)
      const hiddenText = hidden === null ? null : JSON.stringify(hidden)
      const revision = revisionOf(doc)
      const stored: Stored = { account, parent, id: key.id, doc, hidden: hiddenText, revision }
      const row = new Row(stored)
      checkUnique(collection, row, draft.see('instances').get(name))
      draft.changeIn(name).set(keyOf(account, parent, key.id), row)
      effects.changed.add(name)
      return stored
    },
    add: async (collection, parent, added) => {
      for (const instance of added) {
        const key = { parent, id: instance.id }
        if ((await reader.find(collection, key)) !== null) continue
        await own.save(collection, key, instance, null)
      }
    },
    // One transaction writes at a time: nobody else can refer to it meanwhile.
    lock: async () => {},
    remove: async (collection, key) => {
      if ((await reader.find(collection, key)) === null) return false
      const name = qualifiedName(collection)
      draft.changeIn(name).delete(keyOf(account, parentIn(collection, key), key.id))
      effects.changed.add(name)
      for (const nested of collections.filter(({ parent }) => parent === name)) {
        const nestedName = qualifiedName(nested)
        for (const [nestedKey, { stored }] of draft.see('instances').get(nestedName) ?? []) {
          if (stored.account !== account || stored.parent !== key.id) continue
          draft.changeIn(nestedName).delete(nestedKey)
          effects.changed.add(nestedName)
        }
      }
      return true
    },
  }
  return { ...reader, ...own, account }
}

/** Its texts are read back when somebody looks into them. */
class Row implements InstanceRow {
  readonly stored: Stored
  #instance: JsonObject | undefined
  #hidden: JsonObject | null | undefined

  constructor(stored: Stored) {
    this.stored = stored
  }

  get instance(): JsonObject {
    return (this.#instance ??= JSON.parse(this.stored.doc) as JsonObject)
  }

  get hidden(): JsonObject | null {
    return (this.#hidden ??= JSON.parse(this.stored.hidden ?? 'null') as JsonObject | null)
  }
}

/** Nulls are not equal to one another. */
function checkUnique(
  collection: Collection,
  row: InstanceRow,
  others: ReadonlyMap<string, InstanceRow> = new Map(),
): void {
  for (const path of uniquePathsOf(collection)) {
    const value = fieldValue(collection, row, path)
    const holder = [...others.values()].find(
      (other) =>
        (collection.owned || other.stored.account === row.stored.account) &&
        !isSame(other.stored, row.stored) &&
        value !== null &&
        fieldValue(collection, other, path) === value,
    )
    if (holder !== undefined) throw new UniqueViolation(path.join('.'))
  }
}

function isSame(a: Stored, b: Stored): boolean {
  return a.account === b.account && a.id === b.id && a.parent === b.parent
}

/** What was found out of each collection: they never change. */
const uniqueIn = new WeakMap<Collection, readonly (readonly string[])[]>()

function uniquePathsOf(collection: Collection): readonly (readonly string[])[] {
  const known = uniqueIn.get(collection) ?? uniquePaths(collection.fields, [])
  uniqueIn.set(collection, known)
  return known
}

function uniquePaths(fields: Fields, above: readonly string[]): readonly (readonly string[])[] {
  return Object.entries(fields).flatMap(([name, field]: [string, Field]) => {
    const path = [...above, name]
    if (field.kind === 'object') return uniquePaths(field.properties, path)
    return field.unique === true ? [path] : []
  })
}
