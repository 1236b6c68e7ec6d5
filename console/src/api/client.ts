import { createClient, type Page } from '@nuncio/client'
import { accountFetch } from './viewed-account.ts'

/** An instance of any collection. */
export interface Instance {
  readonly id: string
  readonly [field: string]: unknown
}

/** Conditions, order and position of a list request. */
export interface ListRequest {
  readonly where?: Readonly<Record<string, readonly string[] | string>>
  readonly sort?: readonly string[]
  readonly search?: string
  readonly pageSize?: number
  readonly after?: string
  readonly fields?: readonly string[]
  readonly count?: boolean
}

interface WriteRequest {
  readonly ifMatch?: string | undefined
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
}

/** The operations of a collection that is known at run time only. */
export interface AnyCollection {
  list(request: ListRequest, options?: { readonly signal: AbortSignal }): Promise<Page<Instance>>
  get(id: string, options?: { readonly signal: AbortSignal }): Promise<Instance>
  create(input: unknown, options?: WriteRequest): Promise<Instance>
  put(id: string, input: unknown, options?: WriteRequest): Promise<Instance>
  patch(id: string, patch: unknown, options?: WriteRequest): Promise<Instance>
  delete(id: string, options?: WriteRequest): Promise<void>
}

/** The client of the service that served this page. The session's cookie signs its requests. */
export const client = createClient({
  baseUrl: location.origin,
  retry: { attempts: 2 },
  fetch: accountFetch,
})

/** Returns the operations of the collection at a path, such as `['groups', id, 'contacts']`. */
export function collectionAt(path: readonly string[]): AnyCollection {
  // The client makes a member for each name; only its types list the names.
  let found = client as unknown as Readonly<Record<string, AnyNode>>
  for (let index = 0; index + 2 < path.length; index += 2) {
    const parent = found[path[index] ?? '']
    if (parent !== undefined) found = parent.at(path[index + 1] ?? '')
  }
  const collection = found[path.at(-1) ?? '']
  if (collection === undefined) throw new TypeError('a path names a collection')
  return collection
}

interface AnyNode extends AnyCollection {
  at(id: string): Readonly<Record<string, AnyNode>>
}
