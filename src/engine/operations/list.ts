import type { JsonObject } from '../../core/json.ts'
import { invalidParameters } from '../../core/problem.ts'
import type { Query } from '../../core/declaration/query.ts'
import type { RowFilter, Stored } from '../../core/ports/store.ts'
import type { Compiled } from '../compiled.ts'
import {
  checkParent,
  reachOf,
  type OperationResponse,
  type Engine,
  type EngineOperation,
  type OperationRequest,
} from '../operation.ts'
import { leadsBack, reversed, writeCursor, type CursorDirection } from '../query/cursor.ts'
import type { FilterParameter } from '../query/filter-parameters.ts'
import { readListRequest, sizeAskedFor, type ListRequest } from '../query/query-parameters.ts'
import { pick, render } from '../render.ts'

/** Lists one page of the instances that the parameters select: GET /v1/{collection}. */
export const list: EngineOperation = (request, engine) =>
  listInstances(request, engine, {
    compiled: request.compiled,
    parent: request.parent?.id ?? null,
    narrowed: {},
  })

/** The listed instances: those of a collection, below a parent, or a part of them. */
export interface Listed {
  readonly compiled: Compiled
  readonly parent: string | null
  readonly narrowed: Pick<RowFilter, 'members'>
}

/** Returns the response to a list request. */
export function listInstances(
  request: OperationRequest,
  engine: Engine,
  listed: Listed,
): Promise<OperationResponse> {
  const make = (): Promise<OperationResponse> => pageOf(request, engine, listed)
  return engine.makePage?.(sizeAskedFor(request.parameters), make) ?? make()
}

function pageOf(
  request: OperationRequest,
  engine: Engine,
  { compiled, parent, narrowed }: Listed,
): Promise<OperationResponse> {
  return engine.store.read(reachOf(request), async (reader) => {
    await checkParent(request, reader)
    const asked = readListRequest(compiled, request.parameters)
    const { fields } = asked
    const query = { ...asked.query, ...narrowed }

    // Reading one more instance than requested shows whether a next page exists.
    const sort = asked.way === 'ON' ? query.sort : reversed(query.sort)
    const wanted = { ...query, sort, limit: query.limit + 1 }
    const found = await reader.list(compiled.declared, parent, wanted)
    const inTurn = found.slice(0, query.limit)
    const page = asked.way === 'ON' ? inTurn : inTurn.toReversed()
    const rendered = await render(compiled, page, reader, engine)
    const texts = rendered.map(({ text }) => (fields === null ? text : pick(text, fields)))

    checkLength(texts)

    const isMore = found.length > query.limit
    const link = links(request, linksAround(compiled, asked, page, isMore))
    const headers: Record<string, string> = link === '' ? {} : { link }
    if (request.countExactly) {
      headers['x-total-count'] = String(await reader.count(compiled.declared, parent, query))
      headers['preference-applied'] = 'count=exact'
    }
    return { status: 200, headers, body: `[${texts.join(',')}]` }
  })
}

/** The query parameters that lead to the previous and the next page; null if there is no such page. */
interface PageLinks {
  readonly prev: FilterParameter | null
  readonly next: FilterParameter | null
}

/**
 * Returns the links around a page. `isMore` is true if more instances follow in the reading
 * direction.
 */
function linksAround(
  compiled: Compiled,
  { query, page: number, way }: ListRequest,
  page: readonly Stored[],
  isMore: boolean,
): PageLinks {
  const at = (stored: Stored | undefined, to: CursorDirection): FilterParameter | null =>
    stored === undefined ? null : ['after', writeCursor(query.sort, sortedBy(query, stored), to)]
  const next = way === 'BACK' || isMore ? at(page.at(-1), 'ON') : null
  if (number !== null) return { prev: number > 1 ? ['page', String(number - 1)] : null, next }
  // A request with a cursor came from another page.
  const hasMore = way === 'ON' ? leadsBack(compiled, query.sort) : isMore
  return { prev: hasMore ? at(page[0], 'BACK') : null, next }
}

/** Returns the sort values of an instance. An order by id alone needs no parsing. */
function sortedBy({ sort }: Query, { id, doc }: Stored): JsonObject {
  return sort.every(({ path }) => path.length === 1 && path[0] === 'id') ? { id } : JSON.parse(doc)
}

/** The character limit of a page. A page of the usual size is far below it. */
const pageLengthMax = 64 * 1024 * 1024

/** Limits the length of a page: it is sent as one text, which must fit into memory. */
function checkLength(texts: readonly string[]): void {
  const length = texts.reduce((sum, text) => sum + text.length + 1, 0)
  if (length <= pageLengthMax) return
  const detail = `asks for ${texts.length} instances with ${length} characters: ask for fewer`
  throw invalidParameters([{ parameter: 'pageSize', detail }])
}

/** Octets of parameters beyond which a page links to the next one only: clients bound header fields. */
const linkedBytesMax = 4000

/** Returns the header field Link (RFC 8288), with all parameters except the cursor. */
function links(request: OperationRequest, { prev, next }: PageLinks): string {
  const others = request.asSent.filter(([name]) => name !== 'page' && name !== 'after')
  const to = (rel: string, ...place: FilterParameter[]): string => {
    const query = new URLSearchParams([...others, ...place].map(([name, value]) => [name, value]))
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
