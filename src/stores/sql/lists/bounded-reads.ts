import { nextTurn } from '../../../core/ports/clock.ts'
import { type AccountReach, everyAccount } from '../../../core/account.ts'
import {
  type Condition,
  pageLengthMax,
  type Query,
  type Scalar,
  type SortKey,
} from '../../../core/declaration/query.ts'
import type { JsonObject } from '../../../core/json.ts'
import type { QueryLimits } from '../../../core/ports/query-limits.ts'
import {
  type StoredPage,
  QueryTimeout,
  type Store,
  type Stored,
} from '../../../core/ports/store.ts'
import type { Row } from '../connection.ts'
import type { Fragment } from '../fragment.ts'
import { scopeOf } from '../rows/reader.ts'
import { numberIn, textOrNullIn } from '../rows/row.ts'
import type { Session } from '../session.ts'
import { isOneList } from '../tables/source.ts'
import { columnAt, isSearchIndexed } from '../tables/table.ts'
import type { CataloguedTable } from '../tables/catalogue.ts'
import { type CompiledQuery, isCheapQuery, isOrderedByIndex } from './cheap-query.ts'
import { instancesIn } from './list.ts'
import {
  boundaryStatement,
  countStatement,
  idRangeStatement,
  listStatement,
} from './list-statements.ts'
import { valueAt } from '../../field-at.ts'

/** Runs single statements away from the event loop. */
export interface QueryExecutor {
  /** Throws `QueryTimeout` if the signal aborts; a database may also end the statement after `timeoutMs`. */
  all(
    reach: AccountReach,
    statement: Fragment,
    signal: AbortSignal,
    timeoutMs: number,
  ): Promise<readonly Row[]>
}

/** Dependencies of bounded reads. */
export interface BoundedReadParts {
  readonly session: () => Pick<Session, 'catalogue' | 'dialect'>
  readonly executor: QueryExecutor
  /** Reads that an index makes cheap stay where all other reads are. */
  readonly read: Store['read']
}

/** Rows of the first piece of a list; each piece has twice the rows of the one before, up to the maximum. */
const firstPieceRows = 1000
const pieceRowsMax = 16_000

/** Makes the reads with limits of an SQL store. */
export function boundedReads(parts: BoundedReadParts): Pick<Store, 'page' | 'count'> {
  const compile = (
    account: AccountReach,
    ...[collection, parent, query]: [Parameters<Store['page']>[1], string | null, Query]
  ): TableQuery => {
    const { catalogue, dialect } = parts.session()
    const table = catalogue.of(collection)
    const scope = scopeOf({ catalogue }, account, parent, query)
    return { dialect, table, scope, query, isInterruptible: true }
  }

  return {
    page: async (account, collection, parent, query, limits) => {
      const compiled = compile(account, collection, parent, query)
      if (isCheapQuery(compiled, query.start)) {
        const list = (part: Query): Promise<readonly Stored[]> =>
          parts.read(account, (reader) => reader.list(collection, parent, { ...query, ...part }))
        // Over every account an identifier does not say where a list continues.
        const sliceMax = account === everyAccount ? query.limit : sliceRows
        return { instances: await inSlices(list, query, sliceMax), examinedTo: null }
      }
      const run = runner(parts.executor, account, limits)
      if (limits.mayBePartial && isDivisible(compiled, query)) {
        return inPieces(run, compiled, query)
      }
      return {
        instances: instancesIn(await run(listStatement(compiled, query)), compiled),
        examinedTo: null,
      }
    },
    count: async (account, collection, parent, filter, limits) => {
      const query = { sort: [], start: { offset: 0 }, limit: 0, ...filter }
      const compiled = compile(account, collection, parent, query)
      const [row] = await runner(parts.executor, account, limits)(countStatement(compiled))
      return row === undefined ? 0 : numberIn(row[0])
    },
  }
}

/** Rows of a large page that are read at a time: others are served in between. */
const sliceRows = 101

/**
 * Reads a page in slices, each after the one before, until it has enough instances, or more than
 * `pageLengthMax` characters.
 */
async function inSlices(
  list: (part: Query) => Promise<readonly Stored[]>,
  query: Query,
  sliceMax: number,
): Promise<readonly Stored[]> {
  const instances: Stored[] = []
  let { start } = query
  let length = 0
  for (;;) {
    const limit = Math.min(query.limit - instances.length, sliceMax)
    const found = await list({ ...query, start, limit })
    const last = found.at(-1)
    length += lengthOf(found)
    if (instances.length === 0 && found.length === query.limit) return found
    instances.push(...found)
    const isLast = found.length < limit || instances.length === query.limit
    if (last === undefined || isLast || length > pageLengthMax) return instances
    start = { after: sortValues(query.sort, last) }
    await nextTurn()
  }
}

function lengthOf(instances: readonly Stored[]): number {
  let length = 0
  for (const { doc } of instances) length += doc.length
  return length
}

function sortValues(sort: readonly SortKey[], { id, doc }: Stored): readonly Scalar[] {
  if (sort.length === 1 && sort[0]?.path.join('.') === 'id') return [id]
  const instance: JsonObject = JSON.parse(doc)
  return sort.map(({ path }) => {
    const value = valueAt(instance, path)
    return typeof value === 'object' ? null : value
  })
}

interface TableQuery extends CompiledQuery {
  readonly table: CataloguedTable
}

type Run = (statement: Fragment) => Promise<readonly Row[]>

function runner(executor: QueryExecutor, account: AccountReach, limits: QueryLimits): Run {
  return async (statement) => {
    const timeoutMs = Math.floor(limits.remainingMs())
    if (timeoutMs <= 0) throw new QueryTimeout('the query used up its time')
    const signal = AbortSignal.any([limits.signal(), AbortSignal.timeout(timeoutMs)])
    return executor.all(account, statement, signal, timeoutMs)
  }
}

function isDivisible(compiled: CompiledQuery, { start }: Query): boolean {
  const { table, scope } = compiled
  const isFirst = !('offset' in start) || start.offset === 0
  return isFirst && isOneList(table, scope) && isOrderedByIndex(compiled)
}

/**
 * Examines a list in pieces. Each piece has separate statements, so no snapshot stays open. If the budget
 * ends, the page has the instances of the earlier pieces.
 */
async function inPieces(run: Run, compiled: TableQuery, query: Query): Promise<StoredPage> {
  const instances: Stored[] = []
  let { start } = query
  let examinedTo: readonly Scalar[] | null = null
  try {
    const bounded = await withIdRange(run, compiled)
    if (bounded === null) return { instances, examinedTo: null }
    // A search without a full page after the first piece has few hits: the index finds them in one
    // statement.
    const isFoundByIndex = isSearchFoundByIndex(bounded)
    for (let rows = firstPieceRows; ; rows = Math.min(2 * rows, pieceRowsMax)) {
      const isLast: boolean = isFoundByIndex && examinedTo !== null
      const boundary: Row | undefined = isLast
        ? undefined
        : (await run(boundaryStatement(bounded, start, rows)))[0]
      const upTo: readonly Scalar[] | null = boundary === undefined ? null : boundary.map(scalarIn)
      const bounds = { start, limit: query.limit - instances.length }
      const found = await run(listStatement(bounded, bounds, upTo))
      instances.push(...instancesIn(found, bounded))
      if (upTo === null || instances.length === query.limit) return { instances, examinedTo: null }
      examinedTo = upTo
      start = { after: upTo }
    }
  } catch (error) {
    if (!(error instanceof QueryTimeout) || examinedTo === null) throw error
    return { instances, examinedTo }
  }
}

/** Returns true if an index finds the rows of a search. It has no texts with fewer than three characters. */
function isSearchFoundByIndex({ dialect, table, query }: TableQuery): boolean {
  const isKnown = query.searchTerms.some((term) => term.length >= indexedCharacters)
  return isKnown && isSearchIndexed(table) && dialect.containsByIndex !== null
}

const indexedCharacters = 3

/**
 * Bounds a list by id that has conditions on indexed times to the identifiers of those rows: only they are
 * examined. Null if there are none.
 */
async function withIdRange(run: Run, compiled: TableQuery): Promise<TableQuery | null> {
  const { table, scope, query } = compiled
  const times = query.conditions.filter(
    ({ path, operator }) => ranges.has(operator) && columnAt(table, path)?.kind === 'timestamp',
  )
  if (times.length === 0 || scope.members !== null || query.sort[0]?.path[0] !== 'id')
    return compiled
  const within = { ...compiled, query: { conditions: times, searchTerms: [], sort: [] } }
  const [row] = await run(idRangeStatement(within))
  const [first, last] = [textOrNullIn(row?.[0] ?? null), textOrNullIn(row?.[1] ?? null)]
  if (first === null || last === null) return null
  const conditions = [...query.conditions, onId('gte', first), onId('lte', last)]
  return { ...compiled, query: { ...query, conditions } }
}

const ranges: ReadonlySet<Condition['operator']> = new Set(['eq', 'gt', 'gte', 'lt', 'lte'])

function onId(operator: Condition['operator'], id: string): Condition {
  return { path: ['id'], operator, values: [id] }
}

function scalarIn(value: unknown): Scalar {
  return typeof value === 'number' ? value : textOrNullIn(value)
}

/** Returns the name under which the queries of an account queue. */
export function queueNameOf(reach: AccountReach): string {
  return reach === everyAccount ? '*' : reach
}
