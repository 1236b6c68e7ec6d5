import type { Field, Fields, TextField } from '../../core/declaration/field.ts'
import { formats } from '../../core/declaration/format.ts'
import { refer, type Schema } from '../document.ts'

/** The use of a schema: in responses, in bodies that create or replace, or in merge patches. */
export type Use = 'served' | 'input' | 'patch'

/**
 * Returns the schema of a field, with the limits of its declaration. With `setByService`, no client
 * writes the field, so only a declared null is possible.
 */
export function fieldSchema(field: Field, use: Use, setByService = isSetByService(field)): Schema {
  const { type, ...limits } = kindSchema(field, use, setByService)
  const isNullable = takesNull(field, use, setByService)
  const description = use === 'patch' ? undefined : describe(field, use)
  return {
    ...(type === undefined ? {} : { type: isNullable ? [String(type), 'null'] : type }),
    ...(description === undefined ? {} : { description }),
    ...limits,
    ...(use === 'input' && field.default !== undefined ? { 'x-default': field.default } : {}),
    ...(use === 'served' && isSetByService(field) ? { readOnly: true } : {}),
    ...(use !== 'served' && field.writeOnly === true ? { writeOnly: true } : {}),
  }
}

/**
 * Returns the schema of an input object without further members; the service ignores read-only
 * ones.
 */
export function inputSchema(fields: Fields, use: 'input' | 'patch'): Schema {
  const entries = Object.entries(fields).filter(([, field]) => field.internal !== true)
  const required = entries.filter(([, field]) => isRequired(field)).map(([name]) => name)
  const properties = entries.map(([name, field]): [string, Schema] => [
    name,
    isSetByService(field) ? refer('schemas', 'Ignored') : fieldSchema(field, use),
  ])
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(use === 'input' && required.length > 0 ? { required } : {}),
    additionalProperties: false,
  }
}

/** Returns true if the client must set a field. */
export function isRequired(field: Field): boolean {
  return field.required === true && !isSetByService(field)
}

/** Returns true if clients cannot set a field. */
export function isSetByService(field: Field): boolean {
  return field.readOnly === true
}

/**
 * Returns true if a field can be null. A response has null also for an omitted field without a
 * default. A patch with null removes an optional field.
 */
function takesNull(field: Field, use: Use, setByService: boolean): boolean {
  if (field.nullable === 'input') return use !== 'served'
  if (field.nullable === true) return true
  if (use === 'input' || isRequired(field)) return false
  if (use === 'patch') return field.writeOnly !== true
  return !setByService && field.default === undefined
}

function kindSchema(field: Field, use: Use, setByService: boolean): Schema {
  switch (field.kind) {
    case 'text':
      return textSchema(field, use)
    case 'reference':
      return { type: 'string', minLength: 1, maxLength: 64 }
    case 'integer':
    case 'number':
      return { type: field.kind, ...pick(field, ['minimum', 'maximum']) }
    case 'boolean':
      return { type: 'boolean' }
    case 'timestamp':
      return { type: 'string', format: 'date-time' }
    case 'choice': {
      const withNull = takesNull(field, use, setByService)
      return { type: 'string', enum: withNull ? [...field.enum, null] : field.enum }
    }
    case 'object':
      return {
        ...(use === 'served'
          ? servedObject(field.properties, setByService)
          : inputSchema(field.properties, use)),
        ...(field.open === true ? { additionalProperties: true } : {}),
      }
    case 'array':
      return {
        type: 'array',
        // An array is replaced as a whole, so that its items are never patched.
        items: itemSchema(field.items, use === 'patch' ? 'input' : use),
        ...pick(field, ['minItems', 'maxItems', 'uniqueItems']),
      }
    case 'map':
      return {
        type: 'object',
        additionalProperties: itemSchema(field.values, use),
        ...pick(field, ['maxProperties']),
      }
  }
}

/** Returns the schema of an item of an array or map; items are never omitted. */
function itemSchema(item: Field, use: Use): Schema {
  return fieldSchema(item, use, true)
}

function servedObject(fields: Fields, setByService: boolean): Schema {
  const shown = Object.entries(fields).filter(
    ([, field]) => field.internal !== true && field.writeOnly !== true,
  )
  const properties = shown.map(([name, field]): [string, Schema] => [
    name,
    fieldSchema(field, 'served', setByService || isSetByService(field)),
  ])
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: shown.flatMap(([name, { optional }]) => (optional === true ? [] : [name])),
  }
}

/** A response can have an empty text where a request must not: the body of a message may be erased. */
function textSchema(field: TextField, use: Use): Schema {
  return {
    type: 'string',
    ...pick(field, use === 'served' ? ['maxLength'] : ['minLength', 'maxLength', 'pattern']),
    ...(field.format === 'url' ? { format: 'uri' } : {}),
  }
}

/** Joins the description of a field, that of its format and its default. */
function describe(field: Field, use: Use): string | undefined {
  const form = field.kind === 'text' ? formOf(field) : undefined
  const own = field.description === undefined ? undefined : markdownText(field.description)
  const both = [own, form].filter((text) => text !== undefined)
  if (field.kind === 'reference') both.push(`The identifier of one of \`${field.collection}\`.`)
  if (use === 'input' && field.default !== undefined) {
    both.push(`Default: \`${JSON.stringify(field.default)}\`.`)
  }
  return both.length === 0 ? undefined : both.join(' ')
}

function formOf({ format, form }: TextField): string | undefined {
  const words = format === undefined ? form && markdownText(form) : formats[format].description
  return words === undefined ? undefined : `It is ${words}.`
}

/** The limits that a field has, under the same words. Object.fromEntries forgets the names' types. */
function pick<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  const given = names.filter((name) => from[name] !== undefined)
  return Object.fromEntries(given.map((name) => [name, from[name]])) as Pick<T, K>
}

/**
 * Escapes an operator's text so that Markdown renderers find no HTML in it. Code spans stay
 * unchanged, since no renderer parses them.
 */
export function markdownText(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 0 ? part.replaceAll('<', '&lt;') : part))
    .join('')
}
