import type { Connection } from '../sql/connection.ts'

/**
 * A transaction sees the rows of the account that it says it is of, every row where it says `*`, and
 * none where it says nothing. As a case the planner takes half of the rows to pass: with the usual
 * `or` it would take nearly none to, and choose its ways for that.
 */
const isOwn = `
  case current_setting('nuncio.account', true) when '*' then true
    else account = current_setting('nuncio.account', true) end`

const policy = 'own account'

/** Puts the second wall around a table, whose owner it holds, too. Every statement names its account besides. */
export async function secureRows(connection: Connection, table: string): Promise<void> {
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

const isSecured = `
  select 1 from pg_policy join pg_class on pg_class.oid = polrelid
  where polrelid = to_regclass(?) and polname = '${policy}' and relforcerowsecurity`
