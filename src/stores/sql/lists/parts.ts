import type { Query } from '../../../core/declaration/query.ts'
import type { SqlConnection } from '../connection.ts'
import { join, parameter } from '../fragment.ts'
import { nextValueStatement } from './list-statements.ts'
import { orderedColumn, type Segment, segmentsOf } from './order.ts'
import type { CompiledQuery, PathClauses } from './route.ts'
import { sqlValueIn } from '../rows/row.ts'

/**
 * The segments of an order along an index. An index that is read downwards gives those that share a
 * value downwards by id as well: where the order wants them upwards they would be sorted, all of
 * them. So the first `valuesMax` values are taken one by one. Where a page needs more of them, few
 * share one.
 */
export async function* partsOf(
  connection: SqlConnection,
  asked: CompiledQuery,
  way: PathClauses,
  start: Query['start'],
  valuesMax: number,
): AsyncGenerator<Segment> {
  const takesValues =
    valuesMax > 0 && isAgainstIndex(asked) && !('offset' in start && start.offset > 0)
  for (const segment of segmentsOf(way.keys, start)) {
    if (!takesValues || segment.keys.length < 2) yield segment
    else yield* byValue(connection, way, segment, valuesMax)
  }
}

/** Whether rows that share the first value come in the order of the index, too. */
export function isWhollyInIndex(asked: CompiledQuery): boolean {
  return asked.query.sort.length <= 2 && !isAgainstIndex(asked)
}

function isAgainstIndex({ table, scope, query }: CompiledQuery): boolean {
  if (scope.members !== null) return false
  const [first, second, third] = query.sort
  if (first === undefined || second === undefined || third !== undefined) return false
  return first.direction !== second.direction && orderedColumn(table, first.path) !== null
}

async function* byValue(
  connection: SqlConnection,
  way: PathClauses,
  { where, keys }: Segment,
  valuesMax: number,
): AsyncGenerator<Segment> {
  const [first, ...later] = keys
  if (first === undefined) return
  const key = { ...first, nullable: false }
  let rest = [...where, join`${key.value} is not null`]
  for (let count = 0; count < valuesMax; count += 1) {
    const { sql, params } = nextValueStatement(way, { where: rest, keys }, key)
    const row = await connection.first(sql, params)
    if (row === undefined) break
    const value = parameter(sqlValueIn(row[0]))
    yield { where: [...where, join`${key.value} = ${value}`], keys: later }
    const beyond =
      key.direction === 'asc' ? join`${key.value} > ${value}` : join`${key.value} < ${value}`
    rest = [...where, beyond]
  }
  yield { where: rest, keys: [key, ...later] }
  if (first.nullable) yield { where: [...where, join`${key.value} is null`], keys: later }
}
