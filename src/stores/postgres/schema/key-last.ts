/**
 * Among indexes that seem equally good, as all do in a table that is empty or has no statistics, PostgreSQL
 * takes the one made last. If that is not the key's, statements planned then read all rows of an account for
 * each key. So a table gets its primary key after its indexes.
 */
export interface KeyLast {
  /** The definition without the key. */
  readonly definition: string
  /** The statement that adds the key; null if the definition has none of its own. */
  readonly addition: string | null
}

/** Splits the definition of a table. */
export function keyLast(definition: string): KeyLast {
  const table = /^create table if not exists ("[^"]*"|\w+)/.exec(definition)?.[1]
  const key = keyClause.exec(definition)?.[1]
  if (table === undefined || key === undefined) return { definition, addition: null }
  return {
    definition: definition.replace(keyClause, ''),
    addition: `alter table ${table} add primary key ${key}`,
  }
}

const keyClause = /,\s*primary key (\([^)]*\))/
