import type { SqlConnection } from '../../sql/connection.ts'
import { textIn } from '../../sql/rows/row.ts'

/**
 * A transaction sees the rows of the accounts that it says it is of, one or several with commas
 * between them, every row where it says `*`, and none where it says nothing. What it says is asked for
 * once a statement, and not for each row: to read it takes several times as long as to compare with it.
 * Within `coalesce` the planner takes half of the rows to pass: with `or` alone it would take nearly none
 * to, and choose its ways for that.
 */
const isOwn = `
  coalesce(account = (select current_setting('nuncio.account', true))
    or (select current_setting('nuncio.account', true) = '*')
    or account = any((select string_to_array(current_setting('nuncio.account', true), ','))::text[]),
    false)`

const policy = 'own account'

/** Puts the second wall around a table, whose owner it holds, too. Every statement names its account besides. */
export async function secureRows(connection: SqlConnection, table: string): Promise<void> {
  const found = await connection.first(isSecured, [table])
  if (found !== undefined) return
  await connection.run(`alter table ${table} enable row level security`, [])
  await connection.run(`alter table ${table} force row level security`, [])
  await connection.run(`drop policy if exists "${policy}" on ${table}`, [])
  await connection.run(
    `create policy "${policy}" on ${table} using (${isOwn}) with check (${isOwn})`,
    [],
  )
}

/**
 * Brings the policies of earlier versions up to date, each in a transaction of its own, so that nobody
 * waits for more than one table. Must not run within one.
 */
export async function renewPolicies(connection: SqlConnection): Promise<void> {
  for (const [table] of await connection.all(outdated, [])) {
    await connection.run(
      `alter policy "${policy}" on ${textIn(table)} using (${isOwn}) with check (${isOwn})`,
      [],
    )
  }
}

const isSecured = `
  select 1 from pg_policy join pg_class on pg_class.oid = polrelid
  where polrelid = to_regclass(?) and polname = '${policy}' and relforcerowsecurity`

/** Those of earlier versions. */
const outdated = `
  select polrelid::regclass::text from pg_policy join pg_class on pg_class.oid = polrelid
  where polname = '${policy}' and relnamespace = current_schema()::regnamespace
    and pg_get_expr(polqual, polrelid) not like 'COALESCE(%'`
