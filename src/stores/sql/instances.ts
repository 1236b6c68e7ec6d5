import type { AccountId } from '../../core/account.ts'
import type { Collection } from '../../core/collection.ts'
import type { JsonObject } from '../../core/json.ts'
import { type Key, type Stored, Taken } from '../../core/store.ts'
import { revisionOf } from '../revision.ts'
import { searchText } from '../search-text.ts'
import type { CataloguedTable } from './catalogue.ts'
import type { Row, SqlValue } from './connection.ts'
import { findRow, placeIn, type Session, storedIn } from './reader.ts'
import type { Work } from './work.ts'
import { columnValue } from './table.ts'

/** The instances of one account within a transaction. */
export interface Instances {
  find(collection: Collection, key: Key): Promise<Stored | null>
  save(
    collection: Collection,
    key: Key,
    instance: JsonObject,
    hidden: JsonObject | null,
  ): Promise<Stored>
  remove(collection: Collection, key: Key): Promise<boolean>
}

/**
 * Reads and writes instances. Their rows are remembered for as long as the transaction lasts,
 * since most writes follow a read: an update then writes only the columns that change.
 */
export function instances(work: Work, account: AccountId): Instances {
  const { connection, catalogue, effects, known } = work

  const row = async (table: CataloguedTable, key: Key): Promise<Row | null> => {
    const found = (await findRow(connection, table, account, key)) ?? null
    known.set(nameOf(table, account, key), found)
    return found
  }

  return {
    find: async (collection, key) => {
      const table = catalogue.of(collection)
      const found = await row(table, key)
      return found === null ? null : storedIn(found, table, key)
    },
    save: async (collection, key, instance, hidden) => {
      const table = catalogue.of(collection)
      const texts = textsOf(instance, hidden)
      const values = table.columns.map((column) => columnValue(column, instance, hidden))
      const write = async (): Promise<void> => {
        const before = known.get(nameOf(table, account, key)) ?? null
        if (before !== null) return update(work, table, account, key, texts, values, before)
        if (await insert(work, table, account, key, texts, values)) return
        const existing = await row(table, key)
        if (existing === null) throw new Error(`${table.name} lost an instance while writing it`)
        await update(work, table, account, key, texts, values, existing)
      }
      await write().catch((error: unknown) => {
        throw taken(work, table, error)
      })
      known.delete(nameOf(table, account, key))
      effects.changed.add(table.qualifiedName)
      const { doc, revision, hidden: hiddenText } = texts
      const parent = table.nested ? (key.parent ?? null) : null
      return { account, parent, id: key.id, doc, hidden: hiddenText, revision }
    },
    remove: async (collection, key) => {
      const table = catalogue.of(collection)
      known.clear()
      const removed = await connection.run(table.statements.remove, [
        account,
        ...placeIn(table, key),
      ])
      if (removed === 0) return false
      effects.changed.add(table.qualifiedName)
      for (const nested of table.nestedTables) {
        const { removeNested } = nested.statements
        const gone = await connection.run(removeNested, [account, key.id])
        if (gone > 0) effects.changed.add(nested.qualifiedName)
      }
      return true
    },
  }
}

interface Texts {
  readonly doc: string
  readonly hidden: string | null
  readonly revision: string
  readonly search: (collection: Collection) => string | null
}

function textsOf(instance: JsonObject, hidden: JsonObject | null): Texts {
  const doc = JSON.stringify(instance)
  return {
    doc,
    hidden: hidden === null ? null : JSON.stringify(hidden),
    revision: revisionOf(doc),
    search: (collection) => searchText(collection, instance),
  }
}

async function insert(
  { connection }: Session,
  table: CataloguedTable,
  account: AccountId,
  key: Key,
  { doc, hidden, revision, search }: Texts,
  values: readonly SqlValue[],
): Promise<boolean> {
  const place = [account, ...placeIn(table, key)]
  const params = [...place, revision, hidden, ...values, doc, search(table.collection)]
  return (await connection.run(table.statements.insert, params)) > 0
}

async function update(
  { connection }: Session,
  table: CataloguedTable,
  account: AccountId,
  key: Key,
  { doc, hidden, revision, search }: Texts,
  values: readonly SqlValue[],
  before: Row,
): Promise<void> {
  const changed = table.columns.filter((column, index) => before[column.name] !== values[index])
  const written = values.filter((_, index) => changed.includes(table.columns[index]!))
  const place = [account, ...placeIn(table, key)]
  await connection.run(table.statements.update(changed), [
    revision,
    hidden,
    ...written,
    doc,
    search(table.collection),
    ...place,
  ])
}

/** What a broken rule of a unique column means to whoever saved. */
function taken({ dialect }: Session, table: CataloguedTable, error: unknown): unknown {
  const rule = dialect.violatedRule(error)
  if (rule === null) return error
  const column = table.columns.find(({ unique, name }) => unique && rule.endsWith(name))
  return column === undefined ? error : new Taken(column.path.join('.'))
}

function nameOf(table: CataloguedTable, account: AccountId, key: Key): string {
  return `${account} ${table.name} ${table.nested ? (key.parent ?? '') : ''} ${key.id}`
}
