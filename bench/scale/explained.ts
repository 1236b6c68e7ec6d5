import { Client } from 'pg'
import type { AccountId } from '../../src/core/account.ts'
import type { Collection } from '../../src/core/declaration/collection.ts'
import type { Reader } from '../../src/core/ports/store.ts'
import { postgresDialect } from '../../src/stores/postgres/dialect.ts'
import { catalogue } from '../../src/stores/sql/tables/catalogue.ts'
import type { SqlConnection, SqlParameter } from '../../src/stores/sql/connection.ts'
import { everyCell } from '../../src/stores/sql/tables/slice.ts'
import { sqlReader } from '../../src/stores/sql/rows/reader.ts'

/** How PostgreSQL goes about the statements of a read of an account, as the role of the service. */
export async function explained(
  url: string,
  collections: readonly Collection[],
  account: AccountId,
  work: (reader: Reader) => Promise<unknown>,
): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const plans: string[] = []
  const ask = async (
    sql: string,
    params: readonly SqlParameter[],
  ): Promise<readonly unknown[][]> => {
    let count = 0
    const text = sql.replace(/\?/g, () => `$${(count += 1)}`)
    const values = [...params]
    const plan = await client.query<{ 'QUERY PLAN': string }>({ text: `explain ${text}`, values })
    plans.push(...plan.rows.flatMap((row) => inShort(row['QUERY PLAN'])))
    return (await client.query<unknown[]>({ text, values, rowMode: 'array' })).rows
  }
  const connection: SqlConnection = {
    all: ask,
    first: async (sql, params) => (await ask(sql, params))[0],
    run: async () => 0,
    lockName: async () => {},
    attempt: (attempted) => attempted(),
  }
  try {
    await client.query('begin')
    const tables = catalogue(collections, postgresDialect)
    const dialect = postgresDialect
    const session = { connection, catalogue: tables, dialect, slices: everyCell }
    await work(sqlReader(session, account))
  } finally {
    await client.end()
  }
  return [...new Set(plans)].join(', ')
}

/** The scans and sorts. */
function inShort(line: string): readonly string[] {
  const [, scan, index] =
    /(Seq Scan|Index Only Scan|Index Scan|Bitmap Index Scan).*? (?:using|on) ("[^"]+"|\S+)/.exec(
      line,
    ) ?? []
  if (scan !== undefined) return [`${scan} ${index}`]
  return /Sort(?= )/.test(line) && line.includes('(cost') ? ['Sort'] : []
}
