import { type Collection, qualifiedName } from '../../../core/declaration/collection.ts'
import type { Dialect } from '../dialect.ts'
import { type InstanceStatements, instanceStatements } from '../rows/instance-statements.ts'
import { quoted } from './identifier.ts'
import { type Table, tableOf, tablePrefix } from './table.ts'
import type { Unfinished } from '../declarations/unfinished.ts'
import type { SecretCipher } from '../../secret-cipher.ts'
import { type TableSecrets, tableSecrets } from './table-secrets.ts'
import type { Field } from '../../../core/declaration/field.ts'

/** A table with its statements and the tables of collections nested in it. */
export interface CataloguedTable extends Table {
  readonly statements: InstanceStatements
  readonly nestedTables: readonly CataloguedTable[]
  /** Instances of others can name one of this, or be nested in it. */
  readonly isNamedByOthers: boolean
  /** A field of it is unique. */
  readonly hasUnique: boolean
  /** Null if it has no secrets, or the store no key. */
  readonly secrets: TableSecrets | null
}

/** The tables of a store, by collection. */
export interface StoredCatalogue {
  readonly tables: readonly CataloguedTable[]
  /** SQL identifiers of tables whose collections are no longer declared. */
  readonly undeclared: readonly string[]
  /** Throws for a collection that the store was not opened with. */
  of(collection: Collection): CataloguedTable
}

/**
 * Creates the catalogue of a store's collections. `found` are the names of the existing tables,
 * `unfinished` the unfinished row changes, by the qualified name of the collection.
 */
export function catalogue(
  collections: readonly Collection[],
  dialect: Pick<Dialect, 'copiesRows'>,
  found: readonly string[] = [],
  unfinished: ReadonlyMap<string, Unfinished> = new Map(),
  cipher: SecretCipher | null = null,
): StoredCatalogue {
  const plain = new Map(
    collections.map((declared): [string, Table] => {
      const name = qualifiedName(declared)
      return [name, tableOf(declared, dialect, unfinished.get(name) ?? null)]
    }),
  )
  const byName = new Map<string, CataloguedTable>()
  const complete = (table: Table): CataloguedTable => {
    const nested = [...plain.values()].filter(
      (other) => other.collection.parent === table.qualifiedName,
    )
    return {
      ...table,
      statements: instanceStatements(table),
      nestedTables: nested.map(complete),
      isNamedByOthers: isNamedByOthers(table.collection, collections),
      hasUnique: table.columns.some(({ unique }) => unique),
      secrets: tableSecrets(table, cipher),
    }
  }
  for (const [name, table] of plain) byName.set(name, complete(table))

  const tables = [...byName.values()]
  const byCollection = new Map<Collection, CataloguedTable>()
  return {
    tables,
    undeclared: found
      .filter((name) => name.startsWith(tablePrefix))
      .filter((name) => !tables.some((table) => table.name === name))
      .map(quoted),
    of: (collection) => {
      const known = byCollection.get(collection)
      if (known !== undefined) return known
      const found = byName.get(qualifiedName(collection))
      if (found === undefined) {
        throw new Error(`the store was opened without ${qualifiedName(collection)}`)
      }
      byCollection.set(collection, found)
      return found
    },
  }
}

/** Returns true if instances of other collections can name one of this, or be nested in it. */
export function isNamedByOthers(declared: Collection, all: readonly Collection[]): boolean {
  const name = qualifiedName(declared)
  return all.some(
    ({ parent, fields }) =>
      parent === name || Object.values(fields).some((field) => names(field, name)),
  )
}

function names(field: Field, collection: string): boolean {
  switch (field.kind) {
    case 'reference':
      return field.collection === collection
    case 'array':
      return names(field.items, collection)
    case 'map':
      return names(field.values, collection)
    case 'object':
      return Object.values(field.properties).some((inner) => names(inner, collection))
    default:
      return false
  }
}
