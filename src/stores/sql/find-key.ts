import { type AccountId, accountId, defaultAccount } from '../../core/account.ts'
import type { KeyRecord, Stored } from '../../core/store.ts'
import type { Session } from './session.ts'
import { findRow, storedIn } from './stored.ts'
import { textIn } from './row.ts'

/** Finds a key by the digest of its secret over all accounts, with the instance of its account. */
export async function findKey(session: Session, secretDigest: string): Promise<KeyRecord | null> {
  const { connection, catalogue } = session
  const keys = catalogue.tables.find(({ qualifiedName }) => qualifiedName === 'keys')
  const digest = keys?.columns.find(({ path }) => path.join('.') === 'digest')
  if (keys === undefined || digest === undefined) return null
  const row = await connection.first(
    `select doc, hidden, revision, account, id from ${keys.sql} where ${digest.sql} = ?`,
    [secretDigest],
  )
  if (row === undefined) return null
  const account = accountId(textIn(row[3]))
  const key = storedIn(row, keys, account, { id: textIn(row[4]) })
  return { key, account: await findAccount(session, account) }
}

async function findAccount(session: Session, account: AccountId): Promise<Stored | null> {
  const { catalogue } = session
  const accounts = catalogue.tables.find(({ qualifiedName }) => qualifiedName === 'accounts')
  if (accounts === undefined) return null
  const key = { id: account }
  const row = await findRow(session, accounts, defaultAccount, key)
  return row === undefined ? null : storedIn(row, accounts, defaultAccount, key)
}
