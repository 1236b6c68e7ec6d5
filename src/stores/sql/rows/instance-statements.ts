import { defaultAccount } from '../../../core/account.ts'
import { inSets, valuesTogether } from '../fragment.ts'
import type { Column, Table } from '../tables/table.ts'

/** The statements on the instances of one collection that are known beforehand. */
export interface InstanceStatements {
  /** The texts. */
  readonly find: string
  /** The texts, the columns, then the searched text: all that an update may change. */
  readonly findToWrite: string
  /** Over all accounts, the administrator's own first: the texts, then the account. */
  readonly findAnywhere: string
  /**
   * By the value of a unique field, over all accounts, or by it and the account: the texts, then the
   * account, the id and the parent.
   */
  readonly findBy: ReadonlyMap<string, { readonly anywhere: string; readonly inAccount: string }>
  /** Writes nothing where the instance exists. */
  readonly insert: string
  /** The same for as many rows as go `together`. */
  readonly insertMany: string
  readonly remove: string
  /** Removes nothing where the row is not the one that was read: then come its revision and hidden text. */
  readonly removeKnown: string
  readonly removeNested: string
  /**
   * Writes the texts and the changed columns, so that indexes of other columns are not touched. Writes
   * nothing if the row changed since it was read: its revision and hidden text follow the key.
   */
  update(changed: readonly Column[], searchChanged: boolean): string
}

const unchanged = 'revision = ? and hidden is not distinct from ?'

/** Builds the statements of a table. A key is bound as cell, account, parent (of nested ones), id. */
export function instanceStatements(table: Table): InstanceStatements {
  const { sql, columns, nested } = table
  const key = table.key.map((name) => `${name} = ?`).join(' and ')
  const anywhere = nested ? 'parent = ? and id = ?' : 'id = ?'
  const keyColumns = table.key.join(', ')
  const names = columns.map((column) => column.sql)
  const chosen = 'doc, hidden, revision'
  const all = [chosen, ...names, 'search'].join(', ')
  const written = [keyColumns, 'revision', 'hidden', ...names, 'doc', 'search'].join(', ')
  const marks = written.replace(/[^,]+/g, '?')
  const updates = new Map<string, string>()

  return {
    find: `${inSets} select ${chosen} from ${sql} where ${key}`,
    findToWrite: `${inSets} select ${all} from ${sql} where ${key}`,
    findAnywhere: `
      select ${chosen}, account from ${sql} where ${anywhere}
      order by case account when '${defaultAccount}' then 0 else 1 end, account limit 1`,
    findBy: findByStatements(table),
    insert: `${inSets}
      insert into ${sql} (${written}) values (${marks})
      on conflict (${keyColumns}) do nothing`,
    insertMany: `
      insert into ${sql} (${written}) values ${valuesTogether(`(${marks})`)}
      on conflict (${keyColumns}) do nothing`,
    remove: `delete from ${sql} where ${key}`,
    removeKnown: `delete from ${sql} where ${key} and ${unchanged}`,
    removeNested: `delete from ${sql} where cell = ? and account = ? and parent = ?`,
    update: (changed, searchChanged) => {
      let which = ''
      for (const column of changed) which += `${column.sql} = ?, `
      if (searchChanged) which += 'search = ?, '
      const known = updates.get(which)
      if (known !== undefined) return known
      const written = `${which}revision = ?, hidden = ?, doc = ?`
      const text = `${inSets} update ${sql} set ${written} where ${key} and ${unchanged}`
      updates.set(which, text)
      return text
    },
  }
}

function findByStatements({ sql, columns, nested }: Table): InstanceStatements['findBy'] {
  const chosen = `doc, hidden, revision, account, id, ${nested ? 'parent' : 'null'}`
  const unique = columns.filter((column) => column.unique)
  return new Map(
    unique.map((column) => {
      const anywhere = `${inSets} select ${chosen} from ${sql} where ${column.sql} = ?`
      return [
        column.path.join('.'),
        { anywhere, inAccount: `${anywhere} and cell = ? and account = ?` },
      ]
    }),
  )
}
