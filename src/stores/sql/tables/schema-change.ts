import { StoreUnavailable } from '../../../core/ports/store.ts'

/** A change of the fixed tables, for stores of earlier versions. A new store does not need it. */
export interface SchemaChange {
  /** The first schema version with this change. */
  readonly version: number
  readonly statements: readonly string[]
}

/** The versions of the fixed tables: the current one, and how to reach it. */
export interface StoreSchema {
  readonly version: number
  readonly changes: readonly SchemaChange[]
}

/** Grows with each change of the fixed tables that an older version could not work with. */
export const currentSchema: StoreSchema = { version: 1, changes: [] }

/** Returns the statements that bring a store of an earlier version up to date, in their order. */
export function changesSince(schema: StoreSchema, version: number): readonly string[] {
  return schema.changes
    .filter((change) => change.version > version)
    .toSorted((a, b) => a.version - b.version)
    .flatMap(({ statements }) => statements)
}

/** Throws `StoreUnavailable` if a store is of a newer version, or was made before version 1. */
export function checkSchema(
  schema: StoreSchema,
  shown: string,
  version: number,
  tables: readonly string[],
): void {
  if (tablesBeforeVersion1.some((name) => tables.includes(name))) {
    throw new StoreUnavailable(
      `${shown} was written by a commit before the first release, whose stores no version opens; ` +
        'name another one in NUNCIO_STORE, or empty it',
    )
  }
  if (version > schema.version) {
    throw new StoreUnavailable(
      `${shown} was written by a newer version of Nuncio (schema ${version}; this one knows ` +
        `${schema.version}); start that version, or restore a backup made before it`,
    )
  }
}

/** The stores of those commits have one of these tables. */
const tablesBeforeVersion1 = ['early_receipts', 'buckets'] as const
