import type { JsonObject, JsonValue } from '../core/json.ts'

/** An OpenAPI 3.1.1 document: as much of the specification as this service uses. */
export interface OpenApiDocument {
  readonly openapi: string
  readonly info: OpenApiInfo
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly tags: readonly Tag[]
  readonly security: readonly SecurityRequirement[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly webhooks: Readonly<Record<string, PathItem>>
  readonly components: Components
}

/** The subject of the document. */
export interface OpenApiInfo {
  readonly title: string
  readonly version: string
  readonly summary: string
  readonly description: string
  readonly contact: { readonly name: string }
  readonly license: { readonly name: string; readonly identifier: string }
}

/** A group of operations. */
export interface Tag {
  readonly name: string
  readonly description: string
}

/** Schemes that together are enough, each with the scopes that it takes. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>

/** The methods of a path, in the order in which the reference shows them. */
export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

/** A method of a path. */
export type Method = (typeof methods)[number]

/** The operations of a path. */
export interface PathItem extends Readonly<Partial<Record<Method, OpenApiOperation>>> {
  readonly parameters?: readonly Referable<OpenApiParameter>[]
  /** The method QUERY (RFC 10008), as OpenAPI 3.2 describes it in `query`; 3.1 has no word for it. */
  readonly 'x-query'?: OpenApiOperation
}

/** One method of one path. */
export interface OpenApiOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly parameters?: readonly Referable<OpenApiParameter>[]
  readonly requestBody?: OpenApiRequestBody
  readonly responses: Readonly<Record<string, Referable<OpenApiResponse>>>
  readonly security?: readonly SecurityRequirement[]
}

/** A parameter of the path, the query or the header. */
export interface OpenApiParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description: string
  readonly required?: boolean
  readonly style?: 'form'
  readonly explode?: boolean
  readonly schema: Schema
  readonly example?: JsonValue
}

/** The body of a request. */
export interface OpenApiRequestBody {
  readonly required: boolean
  readonly description?: string
  readonly content: Content
}

/** A response of an operation. */
export interface OpenApiResponse {
  readonly description: string
  readonly headers?: Readonly<Record<string, Referable<Header>>>
  readonly content?: Content
}

/** A header field of a response. */
export interface Header {
  readonly description: string
  readonly schema: Schema
  readonly example?: JsonValue
}

/** Bodies by their media type. */
export type Content = Readonly<Record<string, MediaType>>

/** One form of a body. */
export interface MediaType {
  readonly schema: Schema
  readonly example?: JsonValue
  readonly examples?: Readonly<Record<string, { readonly value: JsonValue }>>
}

/** JSON Schema 2020-12: as much of it as fields need. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly format?: string
  readonly pattern?: string
  readonly const?: JsonValue
  readonly enum?: readonly JsonValue[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly required?: readonly string[]
  readonly maxProperties?: number
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly examples?: readonly JsonValue[]
  readonly readOnly?: boolean
  readonly writeOnly?: boolean
  /** What a field is that is left out. The keyword `default` would make generated clients require it. */
  readonly 'x-default'?: JsonValue
  /** The schemas of an object by the field `type` next to it. */
  readonly 'x-types'?: Readonly<Record<string, Schema>>
}

/** Components that operations share. */
export interface Components {
  readonly securitySchemes: Readonly<Record<string, JsonObject>>
  readonly parameters: Readonly<Record<string, OpenApiParameter>>
  readonly headers: Readonly<Record<string, Header>>
  readonly responses: Readonly<Record<string, OpenApiResponse>>
  readonly schemas: Readonly<Record<string, Schema>>
}

/** An object or a reference to it among the components. */
export type Referable<T> = T | { readonly $ref: string }

/** Points to a component. */
export function refer(kind: keyof Components, name: string): { readonly $ref: string } {
  return { $ref: `#/components/${kind}/${name}` }
}

/** Returns the last name of a reference to a component; null if the value is not a reference. */
export function referredName(value: object): string | null {
  return '$ref' in value && typeof value.$ref === 'string'
    ? (value.$ref.split('/').at(-1) ?? null)
    : null
}

/** Returns the components that an object refers to, directly or indirectly, in order. */
export function reachable(from: object, components: Components): Components {
  const wanted = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value)) {
      if (name === '$ref' && typeof inner === 'string') follow(inner)
      else visit(inner)
    }
  }
  const follow = (reference: string): void => {
    if (wanted.has(reference)) return
    wanted.add(reference)
    const [, , kind = '', name = ''] = reference.split('/')
    const group: Readonly<Record<string, unknown>> =
      new Map(Object.entries(components)).get(kind) ?? {}
    visit(group[name])
  }
  visit(from)

  const kept = <T>(kind: keyof Components, group: Readonly<Record<string, T>>) =>
    Object.fromEntries(
      Object.entries(group).filter(([name]) => wanted.has(`#/components/${kind}/${name}`)),
    )
  return {
    securitySchemes: components.securitySchemes,
    parameters: kept('parameters', components.parameters),
    headers: kept('headers', components.headers),
    responses: kept('responses', components.responses),
    schemas: kept('schemas', components.schemas),
  }
}
