import { accountId, defaultAccount } from '../../core/account.ts'
import type { KeyRecord, Stored } from '../../core/store.ts'
import type { CataloguedTable } from './catalogue.ts'
import type { Row } from './connection.ts'
import type { Session } from './reader.ts'
import { textIn, textOrNullIn } from './row.ts'

/** Finds a key by the digest of its secret over all accounts, with the instance of its account. */
export async function findKey(
  { connection, catalogue }: Session,
  secretDigest: string,
): Promise<KeyRecord | null> {
  const table = catalogue.tables.find(({ qualifiedName }) => qualifiedName === 'keys')
  const digest = table?.columns.find(({ path }) => path.join('.') === 'digest')
  if (table === undefined || digest === undefined) return null
  const row = await connection.first(
    `select account, id, doc, hidden, revision from ${table.sql} where ${digest.sql} = ?`,
    [secretDigest],
  )
  if (row === undefined) return null

  const key = stored(row)
  const accounts = catalogue.tables.find(({ qualifiedName }) => qualifiedName === 'accounts')
  return { key, account: accounts === undefined ? null : await find(connection, accounts, key) }
}

async function find(
  connection: Session['connection'],
  accounts: CataloguedTable,
  key: Stored,
): Promise<Stored | null> {
  const row = await connection.first(accounts.statements.find, [defaultAccount, key.account])
  return row === undefined ? null : stored({ ...row, id: key.account })
}

function stored(row: Row): Stored {
  return {
    account: accountId(textIn(row, 'account')),
    parent: null,
    id: textIn(row, 'id'),
    doc: textIn(row, 'doc'),
    hidden: textOrNullIn(row, 'hidden'),
    revision: textIn(row, 'revision'),
  }
}
