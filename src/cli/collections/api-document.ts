import type { ProcessContext } from '../process-context.ts'
import type { ServiceAccess } from '../client.ts'

/** The parts of a JSON Schema that the commands read. */
export interface InputSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly items?: InputSchema
  readonly properties?: Readonly<Record<string, InputSchema>>
  readonly additionalProperties?: boolean | InputSchema
  readonly readOnly?: boolean
}

interface DocumentedOperation {
  readonly parameters?: readonly { readonly name?: string; readonly schema?: InputSchema }[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: InputSchema }>>
  }
}

/** The parts of the OpenAPI document that the commands read. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, InputSchema>> }
}

const timeoutMs = 30_000

/** Reads the OpenAPI document of the service, which needs no key. Throws if there is none. */
export async function readApiDocument(
  { url }: ServiceAccess,
  { fetch, clock }: Pick<ProcessContext, 'fetch' | 'clock'>,
): Promise<ApiDocument> {
  const { NuncioConnectionError } = await import('@nuncio/client')
  const late = new AbortController()
  const cancel = clock.after(timeoutMs, () => late.abort())
  try {
    const response = await fetch(`${url}/v1/openapi.json`, { signal: late.signal })
    if (response.ok) return await documentIn(response)
    const message = `Its OpenAPI document has the status ${response.status}.`
    throw new NuncioConnectionError('malformed', message)
  } catch (cause) {
    if (cause instanceof NuncioConnectionError) throw cause
    const fault = late.signal.aborted ? 'timeout' : 'unreachable'
    throw new NuncioConnectionError(fault, 'The OpenAPI document cannot be read.', cause)
  } finally {
    cancel()
  }
}

async function documentIn(response: Response): Promise<ApiDocument> {
  const { NuncioConnectionError } = await import('@nuncio/client')
  const text = await response.text()
  try {
    const document: Partial<ApiDocument> | null = JSON.parse(text)
    const { paths, components } = document ?? {}
    if (paths && components?.schemas) return { paths, components }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new NuncioConnectionError('malformed', 'It has no OpenAPI document.')
}

/** Returns the schema that a reference names; any other schema as it is. */
export function resolved(document: ApiDocument, schema: InputSchema): InputSchema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (document.components.schemas[name] ?? {})
}

/** Returns the schema of the input that creates or changes an instance; null if the API has no such method. */
export function inputSchema(
  document: ApiDocument,
  collection: string,
  method: 'post' | 'patch',
): InputSchema | null {
  const path = templateOf(collection)
  const nested = path.includes('{id}')
  const instance = `${path}/${nested ? '{subid}' : '{id}'}`
  const operation = document.paths[method === 'post' ? path : instance]?.[method]
  const [media] = Object.values(operation?.requestBody?.content ?? {})
  return media === undefined ? null : resolved(document, media.schema)
}

/** Returns the names of the parameters of a collection's list, without comparisons. */
export function listParameters(document: ApiDocument, collection: string): readonly string[] {
  const { parameters = [] } = document.paths[templateOf(collection)]?.['get'] ?? {}
  return parameters
    .map((parameter) => refName(parameter) ?? parameter.name ?? '')
    .filter((name) => name !== '' && name !== 'prefer')
}

/** Returns the names of the collections of the first level. */
export function collectionNames(document: ApiDocument): readonly string[] {
  return Object.keys(document.paths).flatMap((path) => /^\/v1\/([^/]+)$/.exec(path)?.[1] ?? [])
}

/** A shared parameter is a reference: `#/components/parameters/PageSize` is `pageSize`. */
function refName(parameter: object): string | null {
  if (!('$ref' in parameter)) return null
  const name = String(parameter.$ref).split('/').at(-1) ?? ''
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/** Returns the path of a collection such as `groups/friends/contacts` in the document. */
function templateOf(collection: string): string {
  const [first = '', parent, nested] = collection.split('/')
  return parent === undefined ? `/v1/${first}` : `/v1/${first}/{id}/${nested}`
}
