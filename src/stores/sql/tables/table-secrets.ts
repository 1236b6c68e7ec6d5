import { isSecret } from '../../../core/declaration/field.ts'
import type { SecretCipher } from '../../secret-cipher.ts'
import type { Table } from './table.ts'

/** The secret fields of a table, and the cipher for them. */
export interface TableSecrets {
  readonly cipher: SecretCipher
  /** Names of top-level fields. */
  readonly fields: readonly string[]
}

/** Returns what encrypts the secrets of a table; null if it has none, or the store has no key. */
export function tableSecrets(
  table: Pick<Table, 'collection'>,
  cipher: SecretCipher | null,
): TableSecrets | null {
  const fields = secretFieldsOf(table)
  return cipher === null || fields.length === 0 ? null : { cipher, fields }
}

/** Returns the names of the fields that a store with a key encrypts. */
export function secretFieldsOf({ collection }: Pick<Table, 'collection'>): readonly string[] {
  return Object.entries(collection.fields)
    .filter(([, field]) => isSecret(field))
    .map(([name]) => name)
}
