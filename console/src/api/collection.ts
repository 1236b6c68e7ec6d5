import { referenceName, type OpenApiDocument, type Operation } from './document.ts'
import { describeFields, type FieldDescription } from './field.ts'

/** A collection as the OpenAPI document describes it. */
export interface CollectionDescription {
  /** The names of the collection and its parents, such as `groups/contacts`. */
  readonly path: string
  readonly name: string
  readonly parent: string | null
  readonly description: string
  /** The fields of an instance. */
  readonly fields: readonly FieldDescription[]
  /** The fields that a client may set. */
  readonly inputs: readonly FieldDescription[]
  /** Parameters of the list: fields, and fields with a comparison. */
  readonly filters: ReadonlySet<string>
  readonly sorts: ReadonlySet<string>
  /** What the search covers; null if there is no search. */
  readonly search: string | null
  /** The scope of each operation that exists. */
  readonly scopes: Readonly<Partial<Record<CollectionAction, string>>>
  /** The response that creates an instance shows a secret once. */
  readonly reveals: boolean
}

/** What can be done with a collection. */
export type CollectionAction = 'list' | 'create' | 'get' | 'put' | 'patch' | 'delete'

/** Describes every collection of the document, in its order. */
export function describeCollections(document: OpenApiDocument): readonly CollectionDescription[] {
  return Object.keys(document.paths)
    .filter((address) => isCollection(document, address))
    .map((address) => describe(document, address))
}

/** The log of notifications has no instances to look at. */
const logAddress = /^\/v\d+\/notifications$/

/** A collection has a list. Its instances need not have addresses. */
function isCollection(document: OpenApiDocument, address: string): boolean {
  const list = document.paths[address]?.get
  return itemSchema(list)?.$ref !== undefined && !logAddress.test(address)
}

function instanceOf(
  document: OpenApiDocument,
  address: string,
): OpenApiDocument['paths'][string] | undefined {
  return Object.entries(document.paths).find(
    ([other]) =>
      other.startsWith(`${address}/`) && /^\{\w+\}$/.test(other.slice(address.length + 1)),
  )?.[1]
}

function describe(document: OpenApiDocument, address: string): CollectionDescription {
  const names = namesOf(address)
  const { get, post } = document.paths[address] ?? {}
  const instance = instanceOf(document, address)
  const item = itemSchema(get)
  const input = post?.requestBody?.content['application/json']?.schema
  const creates = referenceName(input).endsWith('Input')
  const changes = instance?.patch?.requestBody?.content['application/json']?.schema
  const sorts = document.components.schemas[`${referenceName(item)}Sort`]?.enum ?? []
  const search = get?.parameters?.find(({ name }) => name === 'search')?.description ?? null
  return {
    path: names.join('/'),
    name: names.at(-1) ?? '',
    parent: names.length > 1 ? names.slice(0, -1).join('/') : null,
    description: document.tags?.find(({ name }) => name === names.join('/'))?.description ?? '',
    fields: describeFields(document, item),
    inputs: describeFields(document, creates ? input : changes),
    filters: filtersOf(document, get, referenceName(item)),
    sorts: new Set(sorts.filter((name) => name !== null)),
    search,
    scopes: {
      ...scope('list', get),
      ...(creates ? scope('create', post) : {}),
      ...scope('get', instance?.get),
      ...scope('put', instance?.put),
      ...scope('patch', instance?.patch),
      ...scope('delete', instance?.delete),
    },
    reveals: `${referenceName(item)}Revealed` in document.components.schemas,
  }
}

function itemSchema(list: Operation | undefined): { readonly $ref?: string } | undefined {
  return list?.responses?.['200']?.content?.['application/json']?.schema.items
}

/** Returns the names of a path without the version and the identifiers. */
function namesOf(address: string): readonly string[] {
  return address
    .split('/')
    .filter((part) => part !== '' && !/^v\d/.test(part) && !part.startsWith('{'))
}

const notFilters = new Set(['sort', 'search', 'page', 'pageSize', 'after', 'fields', 'comparisons'])

function filtersOf(
  document: OpenApiDocument,
  list: Operation | undefined,
  schema: string,
): ReadonlySet<string> {
  const equal = (list?.parameters ?? []).flatMap(({ name }) => name ?? [])
  const compared = document.components.schemas[`${schema}Comparisons`]?.properties ?? {}
  return new Set([...equal.filter((name) => !notFilters.has(name)), ...Object.keys(compared)])
}

/** The description of each operation names its scope. */
function scope(
  action: CollectionAction,
  operation: Operation | undefined,
): Partial<Record<CollectionAction, string>> {
  if (operation === undefined) return {}
  return { [action]: /scope `([^`]+)`/.exec(operation.description ?? '')?.[1] ?? '' }
}
