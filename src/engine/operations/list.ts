import { qualifiedName } from '../../core/declaration/collection.ts'
import type { JsonObject } from '../../core/json.ts'
import { invalidParameters, Problem } from '../../core/problem.ts'
import {
  pageLengthMax,
  PageTooLarge,
  type Query,
  type Scalar,
  type SortKey,
} from '../../core/declaration/query.ts'
import type { QueryLimits } from '../../core/ports/query-limits.ts'
import { QueryTimeout, type RowFilter, type Stored } from '../../core/ports/store.ts'
import type { Compiled } from '../compiled.ts'
import {
  checkParent,
  type OperationResponse,
  type Engine,
  type EngineOperation,
  type OperationRequest,
  asStored,
  pick,
  renderLive,
  type Rendered,
} from '../operation.ts'
import { reachOf } from '../account-reach.ts'
import {
  leadsBack,
  reversed,
  writeCursor,
  type CursorDirection,
  isDefaultSort,
} from '../query/sort.ts'
import type { FilterParameter } from '../query/filter-parameters.ts'
import { readListRequest, sizeAskedFor, type ListRequest } from '../query/query-parameters.ts'

/** GET /v1/{collection}: one page of the instances that the parameters select. */
export const list: EngineOperation = (request, engine) =>
  listInstances(request, engine, {
    compiled: request.compiled,
    parent: request.parent?.id ?? null,
    narrowed: {},
  })

/** The instances of a list: a collection's, perhaps below a parent, perhaps only some. */
export interface Listed {
  readonly compiled: Compiled
  readonly parent: string | null
  readonly narrowed: Pick<RowFilter, 'members'>
}

/** Answers a list request. */
export function listInstances(
  request: OperationRequest,
  engine: Engine,
  listed: Listed,
): Promise<OperationResponse> {
  const make = (): Promise<OperationResponse> => pageOf(request, engine, listed)
  const { account } = request.principal
  return engine.makePage?.(account, sizeAskedFor(request.parameters), make) ?? make()
}

async function pageOf(
  request: OperationRequest,
  engine: Engine,
  { compiled, parent, narrowed }: Listed,
): Promise<OperationResponse> {
  const { store } = engine
  const { declared } = compiled
  const reach = reachOf(request)
  if (request.parent !== null) await store.read(reach, (reader) => checkParent(request, reader))
  const asked = readListRequest(compiled, request.parameters)
  const { fields } = asked
  const query = { ...asked.query, ...narrowed }
  const limits = limitsOf(request, engine, isDefaultSort(compiled, query.sort))

  // One more than requested shows if there is a next page.
  const sort = asked.way === 'ON' ? query.sort : reversed(query.sort)
  const wanted = { ...query, sort, limit: query.limit + 1 }
  const computed = engine.rules[qualifiedName(declared)]?.page
  const reading =
    computed?.(reach, wanted, limits) ?? store.page(reach, declared, parent, wanted, limits)
  const found = await withinBudget(engine, reading)
  const inTurn = withinLength(found.instances.slice(0, query.limit), request)
  const page = asked.way === 'ON' ? inTurn : inTurn.toReversed()
  const rendered = await rendering(request, engine, compiled, page)
  const texts = rendered.map(({ text }) => (fields === null ? text : pick(text, fields)))

  const goesOn = found.instances.length > inTurn.length
  const isExamined = !goesOn && found.examinedTo !== null
  const examinedTo = isExamined ? instanceAt(sort, found.examinedTo) : null
  const link = links(request, placesAround(compiled, asked, page, { goesOn, examinedTo }))
  const headers: Record<string, string> = link === '' ? {} : { link }
  if (request.countExactly && computed === undefined) {
    const count = store.count(reach, declared, parent, query, limits)
    headers['x-total-count'] = String(await withinBudget(engine, count))
    headers['preference-applied'] = 'count=exact'
  }
  return { status: 200, headers, body: `[${texts.join(',')}]` }
}

/** Renders a page. Only live fields need another read. */
async function rendering(
  request: OperationRequest,
  engine: Engine,
  compiled: Compiled,
  page: readonly Stored[],
): Promise<readonly Rendered[]> {
  if (compiled.live.length === 0) return page.map(asStored)
  return engine.store.read(reachOf(request), (reader) => renderLive(compiled, page, reader, engine))
}

function limitsOf(
  { disconnected = connected }: OperationRequest,
  { clock, queryTimeoutMs = usualTimeoutMs }: Engine,
  mayBePartial: boolean,
): QueryLimits {
  const began = clock.monotonic()
  const remainingMs = (): number => queryTimeoutMs - (clock.monotonic() - began)
  let signal: AbortSignal | null = null
  return { signal: () => (signal ??= disconnected()), remainingMs, mayBePartial }
}

const connected = (): AbortSignal => new AbortController().signal

const usualTimeoutMs = 5000

async function withinBudget<T>(
  { queryTimeoutMs = usualTimeoutMs }: Engine,
  reading: Promise<T>,
): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof PageTooLarge) throw tooLarge()
    if (!(error instanceof QueryTimeout)) throw error
    throw new Problem(
      'query-timeout',
      `The query exceeded ${queryTimeoutMs} ms. Add createdAt_gte, or fewer instances by other ` +
        'conditions. Without sort, page and an exact count a list returns what it found in that time.',
    )
  }
}

/**
 * Returns as many instances as a response may hold, at least one; the others are on the next page. Throws
 * if the request counts pages, because the next one would lack them.
 */
function withinLength(
  instances: readonly Stored[],
  { parameters }: OperationRequest,
): readonly Stored[] {
  let length = 0
  const end = instances.findIndex(({ doc }) => (length += doc.length) > pageLengthMax)
  if (end === -1) return instances
  if (parameters.some(([name]) => name === 'page')) throw tooLarge()
  return instances.slice(0, Math.max(end, 1))
}

function tooLarge(): Problem {
  const detail = `asks for instances with more than ${pageLengthMax} characters: ask for fewer`
  return invalidParameters([{ parameter: 'pageSize', detail }])
}

/** The fields of a row that its sort values give; default orders sort by top-level fields. */
function instanceAt(sort: readonly SortKey[], values: readonly Scalar[]): JsonObject {
  return Object.fromEntries(sort.map(({ path }, at) => [path.join('.'), values[at] ?? null]))
}

/** Parameters of the previous and the next page; null if there is none. */
interface Places {
  readonly prev: FilterParameter | null
  readonly next: FilterParameter | null
}

/** The end of a page. */
interface PageEnd {
  /** More instances follow, the way that it was read. */
  readonly goesOn: boolean
  /** The last row examined if the budget ended; the list continues after it. */
  readonly examinedTo: JsonObject | null
}

/** The places around a page. */
function placesAround(
  compiled: Compiled,
  asked: ListRequest,
  page: readonly Stored[],
  { goesOn, examinedTo }: PageEnd,
): Places {
  const { query, page: number, way } = asked
  if (examinedTo !== null) return placesAroundPart(compiled, asked, page, examinedTo)
  const at = (stored: Stored | undefined, to: CursorDirection): FilterParameter | null =>
    stored === undefined ? null : ['after', writeCursor(query.sort, sortedBy(query, stored), to)]
  const next = way === 'BACK' || goesOn ? at(page.at(-1), 'ON') : null
  if (number !== null) return { prev: number > 1 ? ['page', String(number - 1)] : null, next }
  // Before a page at a cursor there is always another one.
  const hasMore = way === 'ON' ? leadsBack(compiled, query.sort) : goesOn
  return { prev: hasMore ? at(page[0], 'BACK') : null, next }
}

/** The places around a page that the budget cut off: it continues after the last row examined. */
function placesAroundPart(
  compiled: Compiled,
  { query, page: number, way }: ListRequest,
  page: readonly Stored[],
  examinedTo: JsonObject,
): Places {
  const at = (instance: JsonObject, to: CursorDirection): FilterParameter => [
    'after',
    writeCursor(query.sort, instance, to),
  ]
  const [first, last] = [page[0], page.at(-1)]
  if (way === 'BACK') {
    const next = last === undefined ? examinedTo : sortedBy(query, last)
    return { prev: at(examinedTo, 'BACK'), next: at(next, 'ON') }
  }
  const leads = number === null && first !== undefined && leadsBack(compiled, query.sort)
  return { prev: leads ? at(sortedBy(query, first), 'BACK') : null, next: at(examinedTo, 'ON') }
}

/** The instance as far as its order goes: where that is by id alone its text need not be read. */
function sortedBy({ sort }: Query, { id, doc }: Stored): JsonObject {
  return sort.every(({ path }) => path.length === 1 && path[0] === 'id') ? { id } : JSON.parse(doc)
}

/** Octets of parameters beyond which a page links to the next one only: clients bound header fields. */
const linkedBytesMax = 4000

/** Returns the field Link (RFC 8288). It has every parameter of the request except the position. */
function links(request: OperationRequest, { prev, next }: Places): string {
  const kept = request.asSent.filter(([name]) => name !== 'page' && name !== 'after')
  const to = (rel: string, ...place: FilterParameter[]): string => {
    const query = new URLSearchParams([...kept, ...place].map(([name, value]) => [name, value]))
    const text = query.toString()
    return `<${request.path}${text === '' ? '' : `?${text}`}>; rel="${rel}"`
  }
  const first = to('first')
  const isShort = first.length <= linkedBytesMax
  return [
    ...(isShort ? [first] : []),
    ...(isShort && prev !== null ? [to('prev', prev)] : []),
    ...(next === null ? [] : [to('next', next)]),
  ].join(', ')
}
