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

/** GET /v1/{collection}: one page of the instances that the parameters select. */
export const list: EngineOperation = (request, engine) =>
  listInstances(request, engine, {
    compiled: request.compiled,
    parent: request.parent?.id ?? null,
    narrowed: {},
  })

/** What is listed: instances of a collection, below a parent, perhaps only some. */
export interface Listed {
  readonly compiled: Compiled
  readonly parent: string | null
  readonly narrowed: Pick<RowFilter, 'members'>
}

/** Answers a list request over what is listed. */
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

    // One more than asked for tells whether there is a next page.
    const sort = asked.way === 'ON' ? query.sort : reversed(query.sort)
    const wanted = { ...query, sort, limit: query.limit + 1 }
    const found = await reader.list(compiled.declared, parent, wanted)
    const inTurn = found.slice(0, query.limit)
    const page = asked.way === 'ON' ? inTurn : inTurn.toReversed()
    const rendered = await render(compiled, page, reader, engine)
    const texts = rendered.map(({ text }) => (fields === null ? text : pick(text, fields)))

    checkLength(texts)

    const goesOn = found.length > query.limit
    const link = links(request, placesAround(compiled, asked, page, goesOn))
    const headers: Record<string, string> = link === '' ? {} : { link }
    if (request.countExactly) {
      headers['x-total-count'] = String(await reader.count(compiled.declared, parent, query))
      headers['preference-applied'] = 'count=exact'
    }
    return { status: 200, headers, body: `[${texts.join(',')}]` }
  })
}

/** What leads to the page before and to the one behind: a parameter of the query; null where there is none. */
interface Places {
  readonly prev: FilterParameter | null
  readonly next: FilterParameter | null
}

/** The places around a page; `goesOn` tells whether there is more the way that it was read. */
function placesAround(
  compiled: Compiled,
  { query, page: number, way }: ListRequest,
  page: readonly Stored[],
  goesOn: boolean,
): Places {
  const at = (stored: Stored | undefined, to: CursorDirection): FilterParameter | null =>
    stored === undefined ? null : ['after', writeCursor(query.sort, sortedBy(query, stored), to)]
  const next = way === 'BACK' || goesOn ? at(page.at(-1), 'ON') : null
  if (number !== null) return { prev: number > 1 ? ['page', String(number - 1)] : null, next }
  // Whoever came on by a cursor came from somewhere.
  const hasMore = way === 'ON' ? leadsBack(compiled, query.sort) : goesOn
  return { prev: hasMore ? at(page[0], 'BACK') : null, next }
}

/** The instance as far as its order goes: where that is by id alone its text need not be read. */
function sortedBy({ sort }: Query, { id, doc }: Stored): JsonObject {
  return sort.every(({ path }) => path.length === 1 && path[0] === 'id') ? { id } : JSON.parse(doc)
}

/** Characters that a page may have; a page of the usual size is far below it, whatever stands in it. */
const pageLengthMax = 64 * 1024 * 1024

/** A page is written as one text, and a process has no room for texts of any length. */
function checkLength(texts: readonly string[]): void {
  const length = texts.reduce((sum, text) => sum + text.length + 1, 0)
  if (length <= pageLengthMax) return
  const detail = `asks for ${texts.length} instances with ${length} characters: ask for fewer`
  throw invalidParameters([{ parameter: 'pageSize', detail }])
}

/** Octets of parameters beyond which a page links to the next one only: clients bound header fields. */
const linkedBytesMax = 4000

/** The field Link (RFC 8288). Every parameter but the place is kept. */
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
