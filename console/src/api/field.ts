import { resolve, type OpenApiDocument, type Schema } from './document.ts'

/** The kinds of fields that the console shows and edits differently. */
export type FieldKind =
  'text' | 'choice' | 'time' | 'number' | 'integer' | 'boolean' | 'list' | 'object' | 'map' | 'json'

/** A field of a collection, from its schema. */
export interface FieldDescription {
  readonly name: string
  readonly kind: FieldKind
  readonly description: string
  readonly nullable: boolean
  readonly required: boolean
  readonly writeOnly: boolean
  readonly choices: readonly string[]
  readonly schema: Schema
  /** The members of an object. */
  readonly members: readonly FieldDescription[]
  /** The items of a list. */
  readonly item: FieldDescription | null
}

/** Describes the fields of an object's schema. Fields that an input ignores are left out. */
export function describeFields(
  document: OpenApiDocument,
  given: Schema | undefined,
): readonly FieldDescription[] {
  const { properties = {}, required = [] } = resolve(document, given)
  return Object.entries(properties)
    .filter(([, schema]) => !schema.$ref?.endsWith('/Ignored'))
    .map(([name, schema]) => describeField(document, name, schema, required.includes(name)))
}

function describeField(
  document: OpenApiDocument,
  name: string,
  given: Schema,
  required: boolean,
): FieldDescription {
  const schema = resolve(document, given)
  const types = [schema.type ?? []].flat()
  const choices = (schema.enum ?? []).filter((choice) => choice !== null).map(String)
  const kind = kindOf(schema, types)
  return {
    name,
    kind,
    description: schema.description ?? '',
    nullable: types.includes('null'),
    required,
    writeOnly: schema.writeOnly === true,
    choices,
    schema,
    members: kind === 'object' ? describeFields(document, schema) : [],
    item:
      kind === 'list' && schema.items !== undefined
        ? describeField(document, '', schema.items, true)
        : null,
  }
}

/** Returns the value of a field that is not filled in; undefined if it has none, or can be null. */
export function defaultOf({ nullable, schema }: FieldDescription): unknown {
  return nullable ? undefined : schema['x-default']
}

function kindOf(schema: Schema, types: readonly string[]): FieldKind {
  if (types.includes('array')) return 'list'
  if (types.includes('object')) return kindOfObject(schema)
  if (schema.enum !== undefined) return 'choice'
  if (types.includes('boolean')) return 'boolean'
  if (types.includes('integer')) return 'integer'
  if (types.includes('number')) return 'number'
  return schema.format === 'date-time' ? 'time' : 'text'
}

function kindOfObject({ properties = {}, additionalProperties }: Schema): FieldKind {
  if (Object.keys(properties).length > 0) return 'object'
  if (typeof additionalProperties !== 'object') return 'json'
  return [additionalProperties.type].flat().includes('string') ? 'map' : 'json'
}
