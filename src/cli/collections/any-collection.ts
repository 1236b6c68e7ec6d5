import type { Client, Page } from '@nuncio/client'
import type { JsonObject } from '../../core/json.ts'
import type { FieldFlag } from '../arguments.ts'
import type { ServiceAccess } from '../client.ts'
import type { GivenArguments } from '../command.ts'
import type { ProcessContext } from '../process-context.ts'

/** A list request: parameters of the query language by name. */
export interface AnyListRequest {
  readonly where: Readonly<Record<string, readonly string[]>>
}

interface DryRun {
  readonly dryRun: boolean
}

/** The operations of a collection that is known at run time only. */
export interface AnyCollection {
  list(
    request: AnyListRequest,
    options?: { readonly signal: AbortSignal },
  ): Promise<Page<JsonObject>>
  get(id: string, options?: { readonly account: string | undefined }): Promise<JsonObject>
  create(input: JsonObject, options: DryRun): Promise<JsonObject>
  put(
    id: string,
    input: JsonObject,
    options: DryRun & { readonly ifNoneMatch: '*' },
  ): Promise<JsonObject>
  patch(id: string, patch: JsonObject, options: DryRun): Promise<JsonObject>
  delete(id: string, options: DryRun): Promise<void>
}

interface AnyNode extends AnyCollection {
  at(id: string): Readonly<Record<string, AnyNode>>
}

/** Returns the operations of the collection at a path such as `keys` or `groups/friends/contacts`. */
export function collectionAt(client: Client, path: string): AnyCollection {
  const [first = '', parent, nested = ''] = path.split('/')
  // The client makes a member for each name; only its types list the names.
  const nodes = client as unknown as Readonly<Record<string, AnyNode>>
  const found = parent === undefined ? nodes[first] : nodes[first]?.at(parent)[nested]
  if (found === undefined) throw new TypeError('a path names a collection')
  return found
}

/** Returns the list request of flags: each is a parameter of the query language. */
export function listRequest(fields: readonly FieldFlag[]): AnyListRequest {
  const names = [...new Set(fields.map(([name]) => name))]
  const valuesOf = (wanted: string): readonly string[] =>
    fields.filter(([name]) => name === wanted).map(([, value]) => value)
  return { where: Object.fromEntries(names.map((name) => [name, valuesOf(name)])) }
}

/** A collection with a separate command. */
export interface ShownCollection {
  readonly name: string
  /** One instance, with its article: `a key`. */
  readonly noun: string
  /** The columns of its list: paths of fields. Null: chosen from the instances. */
  readonly columns: readonly string[] | null
}

/** A call of a collection's command. */
export interface CollectionCall extends ShownCollection {
  readonly collection: AnyCollection
  readonly access: ServiceAccess
  readonly given: GivenArguments
  readonly context: ProcessContext
}
