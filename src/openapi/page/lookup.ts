import type {
  Header,
  OpenApiDocument,
  OpenApiParameter,
  Referable,
  OpenApiResponse,
  Schema,
} from '../document.ts'
import { referredName } from '../document.ts'

/** Finds in a document what a reference leads to. What leads nowhere throws. */
export interface Lookup {
  readonly document: OpenApiDocument
  parameter(value: Referable<OpenApiParameter>): OpenApiParameter
  header(value: Referable<Header>): Header
  response(value: Referable<OpenApiResponse>): OpenApiResponse
  schema(value: Schema): Schema
  /** What an array holds; of alternatives the first. Any other schema is what it is. */
  item(value: Schema): Schema
}

/** Prepares to look things up in a document. */
export function lookup(document: OpenApiDocument): Lookup {
  const { components } = document
  const schema = (value: Schema): Schema => find(value, components.schemas)
  return {
    document,
    parameter: (value) => find(value, components.parameters),
    header: (value) => find(value, components.headers),
    response: (value) => find(value, components.responses),
    schema,
    item: ({ items, ...value }) => schema(items?.anyOf?.[0] ?? items ?? value),
  }
}

function find<T extends object>(
  value: T | { readonly $ref: string },
  group: Readonly<Record<string, T>>,
): T {
  const name = referredName(value)
  const found = name === null ? undefined : group[name]
  if (found !== undefined) return found
  if (isReference(value)) throw new Error(`${value.$ref} leads nowhere.`)
  return value
}

function isReference(value: object): value is { readonly $ref: string } {
  return referredName(value) !== null
}
