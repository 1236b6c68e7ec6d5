import { StoreUnavailable } from '../../../core/ports/store.ts'
import type { SecretCipher } from '../../secret-cipher.ts'
import type { SqlConnection } from '../connection.ts'
import type { KeptDeclaration } from '../declarations/stored-declarations.ts'
import type { Unfinished } from '../declarations/unfinished.ts'
import { textIn, encryptedPattern } from '../rows/row.ts'
import { type Table, tableNamesOf } from './table.ts'
import { secretFieldsOf } from './table-secrets.ts'

/** The row of `meta` that lists the keys of encrypted values. */
export const secretKeysName = 'secretKeys'

/**
 * Records the keys of a start. Returns true if values must be encrypted again: in clear ones, or with an
 * earlier key. Throws `StoreUnavailable` if a value is encrypted with a key that is not given.
 */
export async function recordSecretKeys(
  connection: SqlConnection,
  kept: ReadonlyMap<string, KeptDeclaration>,
  cipher: SecretCipher | null,
): Promise<boolean> {
  const row = await connection.first('select value from meta where name = ?', [secretKeysName])
  const stored: readonly string[] = row === undefined ? [] : JSON.parse(textIn(row[0]))
  const given = cipher?.keyIds ?? []
  const earlier: string[] = []
  for (const id of stored.filter((each) => each !== given[0])) {
    if (!(await isUsed(connection, kept, id))) continue
    if (!given.includes(id)) throw lacking(given, id)
    earlier.push(id)
  }
  const current = given.slice(0, 1)
  const used = JSON.stringify([...current, ...earlier])
  if (used !== JSON.stringify(stored)) await connection.run(keepKeys, [secretKeysName, used])
  return kept.size > 0 && (current.some((id) => !stored.includes(id)) || earlier.length > 0)
}

/** Returns the remaining work if all secrets of a table must be encrypted again: every row is rewritten. */
export function toEncryptAgain(
  table: Pick<Table, 'collection'>,
  left: Unfinished | null,
): Unfinished | null {
  if (secretFieldsOf(table).length === 0) return left
  return { texts: false, added: [], columns: [], search: false, ...left, after: null }
}

const keepKeys = `insert into meta (name, value) values (?, ?)
  on conflict (name) do update set value = excluded.value`

/** Undeclared collections are included: their values return with the declaration. */
async function isUsed(
  connection: SqlConnection,
  kept: ReadonlyMap<string, KeptDeclaration>,
  keyId: string,
): Promise<boolean> {
  for (const { declared } of kept.values()) {
    if (secretFieldsOf({ collection: declared }).length === 0) continue
    const { sql } = tableNamesOf(declared)
    const found = await connection.first(`select 1 from ${sql} where hidden like ? limit 1`, [
      encryptedPattern(keyId),
    ])
    if (found !== undefined) return true
  }
  return false
}

function lacking(given: readonly string[], id: string): StoreUnavailable {
  const cure =
    given.length === 0
      ? 'set NUNCIO_SECRET_KEY to the key of this store'
      : 'add the earlier key to NUNCIO_SECRET_KEY, after a comma; without it, restore a backup'
  return new StoreUnavailable(
    `secrets are encrypted with the key ${id}, which is not given; ${cure}`,
  )
}
