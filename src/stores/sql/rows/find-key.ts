import { accountId, defaultAccount } from '../../../core/account.ts'
import type { KeyRecord } from '../../../core/ports/store.ts'
import { cellOf } from '../../cell.ts'
import type { StoredCatalogue } from '../tables/catalogue.ts'
import { expression } from '../lists/condition.ts'
import type { SqlConnection } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import { inSets } from '../fragment.ts'
import { textIn, storedIn } from './row.ts'

/** Finds a key by the digest of its secret over all accounts, with the instance of its account. */
export type FindKey = (connection: SqlConnection, secretDigest: string) => Promise<KeyRecord | null>

/** Finds keys in the present tables. */
export function latestKeyFinder(
  rest: { readonly tables: StoredCatalogue },
  dialect: Dialect,
): FindKey {
  let { tables } = rest
  let find = keyFinder(tables, dialect)
  return (connection, secretDigest) => {
    if (tables !== rest.tables) {
      tables = rest.tables
      find = keyFinder(tables, dialect)
    }
    return find(connection, secretDigest)
  }
}

/** Prepares for every request's first question. A store without keys finds none. */
function keyFinder({ tables }: StoredCatalogue, dialect: Dialect): FindKey {
  const keys = tables.find(({ qualifiedName }) => qualifiedName === 'keys')
  const accounts = tables.find(({ qualifiedName }) => qualifiedName === 'accounts')
  if (keys?.collection.fields['digest'] === undefined) return async () => null
  const digest = expression(dialect, keys, ['digest'])
  const texts = 'doc, hidden, revision, account, id'
  const byDigest = `${inSets} select ${texts} from ${keys.sql} where ${digest.sql} = ?`

  return async (connection, secretDigest) => {
    const found = await connection.first(byDigest, [...digest.params, secretDigest])
    if (found === undefined) return null
    const id = textIn(found[3])
    const key = storedIn(found, keys, accountId(id), { id: textIn(found[4]) })
    if (accounts === undefined) return { key, account: null }

    const row = await connection.first(accounts.statements.find, [
      cellOf(defaultAccount),
      defaultAccount,
      id,
    ])
    const account = row === undefined ? null : storedIn(row, accounts, defaultAccount, { id })
    return { key, account }
  }
}
