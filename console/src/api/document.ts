/** The parts of a JSON Schema that the console reads. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly (string | null)[]
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly required?: readonly string[]
  readonly 'x-default'?: unknown
  readonly readOnly?: boolean
  readonly writeOnly?: boolean
}

/** An operation of the OpenAPI document. */
export interface Operation {
  readonly description?: string
  readonly parameters?: readonly {
    readonly $ref?: string
    readonly name?: string
    readonly description?: string
  }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses?: Readonly<Record<string, { readonly content?: Content }>>
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The OpenAPI document of the service. */
export interface OpenApiDocument {
  readonly info: { readonly version: string }
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<Method, Operation>>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** Reads the OpenAPI document, which needs no session. */
export async function readDocument(signal: AbortSignal): Promise<OpenApiDocument> {
  const response = await fetch('/v1/openapi.json', { signal })
  if (!response.ok) throw new Error(`The OpenAPI document is missing (${response.status}).`)
  return response.json()
}

/** Returns the schema that a reference names; any other schema as it is. */
export function resolve(document: OpenApiDocument, schema: Schema | undefined): Schema {
  const name = schema?.$ref?.split('/').at(-1)
  return name === undefined ? (schema ?? {}) : (document.components.schemas[name] ?? {})
}

/** Returns the name of the schema that a reference names; an empty text for any other schema. */
export function referenceName(schema: Schema | undefined): string {
  return schema?.$ref?.split('/').at(-1) ?? ''
}
