import fc from 'fast-check'
import type { Field, Fields } from '../../../src/core/declaration/field.ts'
import type { JsonObject, JsonValue } from '../../../src/core/json.ts'

/** The words that a field may have besides its kind, or that take the place of others. */
type Words = Readonly<Record<string, unknown>>

const aName = fc
  .constantFrom('name', 'size', 'state', 'note', 'items', 'total', 'select', 'order', 'kind', 'x9')
  .chain((name) => fc.constantFrom(name, `${name}B`, `the${name}`))

const single: fc.Arbitrary<Words> = fc.oneof(
  fc.record({ kind: fc.constant('text'), maxLength: fc.integer({ min: 3, max: 9 }) }),
  fc.constant({ kind: 'text', pattern: '^[a-cé]*$', maxLength: 20 }),
  fc.record({
    kind: fc.constantFrom('integer', 'number'),
    minimum: fc.integer({ min: -5, max: 0 }),
  }),
  fc.constant({ kind: 'boolean' }),
  fc.constant({ kind: 'timestamp' }),
  fc.constant({ kind: 'choice', enum: ['A', 'b', 'Ç'] }),
)

const indexes: fc.Arbitrary<Words> = fc.constantFrom({}, {}, { indexed: true }, { unique: true })

/** A field of any kind, right in itself; what is inside it nests at most so deep. */
function aField(depth: number): fc.Arbitrary<Words> {
  const nullable = fc.constantFrom({ nullable: true }, { required: true })
  const plain = fc
    .tuple(single, nullable, indexes)
    .map(([field, value, index]) => ({ ...field, ...value, ...index }))
  if (depth === 0) return plain
  const object = fc
    .tuple(someFields(depth - 1), nullable)
    .map(([properties, value]) => ({ kind: 'object', properties, ...value }))
  const list = fc.tuple(single, fc.boolean()).map(([items, isNullable]) => ({
    kind: 'array',
    items: isNullable ? { ...items, nullable: true } : items,
    default: [],
  }))
  const map = single.map((values) => ({ kind: 'map', values, default: {} }))
  return fc.oneof({ weight: 4, arbitrary: plain }, object, list, map)
}

function someFields(depth: number): fc.Arbitrary<Readonly<Record<string, Words>>> {
  return fc.dictionary(aName, aField(depth), { minKeys: 1, maxKeys: 5 })
}

/** The declaration of a collection, as a JSON file has it. */
export const aDeclaration = someFields(2).map(declarationOf)

/** A declaration of these fields, searched by all its texts. */
export function declarationOf(fields: Readonly<Record<string, Words>>) {
  const searchedBy = Object.keys(fields).filter((name) => fields[name]?.['kind'] === 'text')
  return { name: 'things', noun: 'thing', description: 'A thing.', searchedBy, fields }
}

/** What a client might give for an instance: values that the fields take. */
export function anInstance(fields: Fields): fc.Arbitrary<JsonObject> {
  const optional = Object.entries(fields).filter(([, field]) => field.required !== true)
  const required = Object.keys(fields).filter((name) => fields[name]?.required === true)
  const model: Record<string, fc.Arbitrary<JsonValue>> = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, aValue(field)]),
  )
  const all: fc.Arbitrary<JsonObject> = fc.record(model)
  const left = fc.subarray(optional.map(([name]) => name))
  return fc
    .tuple(all, left)
    .map(([instance, given]) =>
      Object.fromEntries(
        Object.entries(instance).filter(
          ([name]) => required.includes(name) || given.includes(name),
        ),
      ),
    )
}

function aValue(field: Field): fc.Arbitrary<JsonValue> {
  const present = presentValue(field)
  return field.nullable === true ? fc.option(present, { freq: 4 }) : present
}

function presentValue(field: Field): fc.Arbitrary<JsonValue> {
  switch (field.kind) {
    case 'text':
      return field.pattern === undefined
        ? fc.constantFrom('', 'a', 'É a', '_%', '*', '😀')
        : fc.constantFrom('', 'abc', 'éa')
    case 'reference':
      return fc.constant('none')
    case 'integer':
      return fc.integer({ min: field.minimum ?? 0, max: 6 })
    case 'number':
      return fc.constantFrom(field.minimum ?? 0, 0, 0.5, 1e21, 3)
    case 'boolean':
      return fc.boolean()
    case 'timestamp':
      return fc.constantFrom('2026-01-31T12:00:00Z', '2026-01-31T12:00:00.5+02:00')
    case 'choice':
      return fc.constantFrom(...field.enum)
    case 'object':
      return anInstance(field.properties)
    case 'array':
      return fc.array(aValue(field.items), { maxLength: 3 })
    case 'map':
      return fc.dictionary(fc.constantFrom('a', 'b.c', 'é'), aValue(field.values), { maxKeys: 2 })
  }
}
