import type { ServiceResponse } from '../requests/attempt.ts'
import type { Caller } from '../requests/call.ts'
import type { Page } from '../declarations/list-query.ts'
import { nextCursor } from './next-cursor.ts'
import type { RequestOptions } from '../options.ts'
import { parametersOf, type AnyQuery, type Parameter } from './parameters.ts'
import { parseList } from '../requests/parse-answer.ts'
import type { Settings } from '../settings.ts'

/** The list operations of any collection. */
export interface ListOperations {
  list(query?: AnyQuery, options?: RequestOptions): Promise<Page<unknown>>
  all(query?: AnyQuery, options?: RequestOptions): AsyncIterable<unknown>
}

/** The longest target in octets that the service accepts; a longer query goes into a body. */
const targetBytesMax = 8000
/** The page size of `all`: few requests, and pages that are quickly read. */
const pageSizeOfAll = 500

/** Makes the list operations of the collection at a path. */
export function listOperations(
  call: Caller,
  path: string,
  { version }: Pick<Settings, 'version'>,
): ListOperations {
  const list: ListOperations['list'] = async (query = {}, options) => {
    const counts = query.count === true
    const parameters = parametersOf(query)
    if (parameters === null) return { items: [], next: null, ...(counts ? { total: 0 } : {}) }
    const headers = counts ? { prefer: 'count=exact' } : {}
    return readPage(await readList(call, path, parameters, headers, version, options))
  }

  async function* all(query: AnyQuery = {}, options?: RequestOptions): AsyncIterable<unknown> {
    let place: AnyQuery = { page: query.page, after: query.after }
    for (;;) {
      const { items, next } = await list({ pageSize: pageSizeOfAll, ...query, ...place }, options)
      yield* items
      if (next === null) return
      place = { page: undefined, after: next }
    }
  }

  return { list, all }
}

/** Sends a list request: as GET, or with a body if the target is too long. */
async function readList(
  call: Caller,
  path: string,
  parameters: readonly Parameter[],
  headers: Readonly<Record<string, string>>,
  version: string,
  options: RequestOptions | undefined,
): Promise<ServiceResponse> {
  const query = new URLSearchParams(parameters.map(([name, value]) => [name, value])).toString()
  const target = query === '' ? path : `${path}?${query}`
  // Every other character than ASCII is escaped, so that characters are octets.
  const targetBytes = `/${version}/${target}`.length
  if (targetBytes <= targetBytesMax) return call({ method: 'GET', path: target, headers, options })
  return call({
    method: 'POST',
    path,
    headers: { ...headers, 'x-http-method-override': 'GET' },
    body: gathered(parameters),
    idempotent: true,
    options,
  })
}

/** Returns the parameters as a JSON object; repeated ones become arrays. */
function gathered(parameters: readonly Parameter[]): Readonly<Record<string, readonly string[]>> {
  const values = new Map<string, string[]>()
  for (const [name, value] of parameters) {
    const known = values.get(name)
    if (known === undefined) values.set(name, [value])
    else known.push(value)
  }
  return Object.fromEntries(values)
}

function readPage(answer: ServiceResponse): Page<unknown> {
  const total = answer.headers.get('x-total-count')
  return {
    items: parseList(answer),
    next: nextCursor(answer.headers.get('link')),
    ...(total === null ? {} : { total: Number(total) }),
  }
}
