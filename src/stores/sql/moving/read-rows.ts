import type { SqlConnection } from '../connection.ts'
import { quoted } from '../tables/identifier.ts'
import { numberIn, sqlValueIn } from '../rows/row.ts'
import type { RowValues } from './store-end.ts'

/** The rows and columns to read. */
export interface Reading {
  /** The name in SQL. */
  readonly table: string
  readonly order: readonly string[]
  readonly columns: readonly string[]
  readonly long: readonly string[]
  readonly only: string | null
}

/** A row with its position in the order. */
export interface ReadRow {
  readonly place: RowValues
  readonly values: RowValues
}

/** Maximum of rows in a slice, and of octets of long texts if the slice has several rows. */
const rowsMax = 1000
const octetsMax = 2_000_000

/** Reads the rows after `after` in their order, in slices: memory contains one slice. */
export async function* readRows(
  connection: SqlConnection,
  reading: Reading,
  after: RowValues | null,
): AsyncIterable<readonly ReadRow[]> {
  const { order } = reading
  const [first, further] = [statement(reading, false), statement(reading, true)]
  for (let place = after; ;) {
    const rows =
      place === null
        ? await connection.all(first, [rowsMax])
        : await connection.all(further, [...place, rowsMax])
    const read = rows.map((row): ReadRow => {
      const values = row.map(sqlValueIn)
      return { place: values.slice(0, order.length), values: values.slice(order.length) }
    })
    const last = read.at(-1)
    if (last === undefined) return
    yield read
    place = last.place
  }
}

/** Returns the number of rows. */
export async function countRows(
  connection: SqlConnection,
  { table, only }: Pick<Reading, 'table' | 'only'>,
): Promise<number> {
  const where = only === null ? '' : ` where ${only}`
  const row = await connection.first(`select count(*) from ${table}${where}`, [])
  return row === undefined ? 0 : numberIn(row[0])
}

/** Returns true if a table has a row. */
export async function hasRows(
  connection: SqlConnection,
  { table, only }: Pick<Reading, 'table' | 'only'>,
): Promise<boolean> {
  const where = only === null ? '' : ` where ${only}`
  return (await connection.first(`select 1 from ${table}${where} limit 1`, [])) !== undefined
}

/** Selects a slice by size within the database, so that it returns no more than allowed. */
function statement({ table, order, columns, long, only }: Reading, isFurther: boolean): string {
  const by = order.map(quoted).join(', ')
  const behind = isFurther ? [`(${by}) > (${order.map(() => '?').join(', ')})`] : []
  const conditions = [...behind, ...(only === null ? [] : [only])]
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`
  const chosen = [...new Set([...order, ...columns])].map(quoted).join(', ')
  const rows = `select ${chosen} from ${table} ${where} order by ${by} limit ?`
  const handed = [...order, ...columns].map(quoted).join(', ')
  if (long.length === 0) return `select ${handed} from (${rows}) as slice order by ${by}`

  const octets = long.map((name) => `coalesce(octet_length(${quoted(name)}), 0)`).join(' + ')
  const before = `coalesce(sum(${octets}) over (order by ${by}
    rows between unbounded preceding and 1 preceding), 0)`
  return `select ${handed} from (select slice.*, ${before} as before_it from (${rows}) as slice) as weighed
    where before_it < ${octetsMax} order by ${by}`
}
