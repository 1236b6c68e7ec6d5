import { qualifiedName } from '../../core/collection.ts'
import type { Field } from '../../core/field.ts'
import { sameJson, type JsonObject, type JsonValue } from '../../core/json.ts'
import { common, type Compiled } from '../../engine/compiled.ts'
import { exampleId, exampleTime, fieldExample } from './field-example.ts'
import { isRequired } from './field-schema.ts'

/** Examples of what goes in and comes out; null where a field has no value that its check accepts. */
export interface CollectionExamples {
  readonly instance: JsonObject | null
  readonly input: JsonObject | null
  readonly patch: JsonObject | null
}

/** Fields of instances that say more than what a declaration suggests, by qualified name. */
export type GivenExamples = Readonly<Record<string, JsonObject>>

/** Makes the examples of a collection: what is given for it, else what its declaration suggests. */
export function collectionExamples(compiled: Compiled, given: GivenExamples): CollectionExamples {
  const { declared } = compiled
  const own = given[qualifiedName(declared)]
  const valueOf = (name: string): JsonValue | undefined => {
    if (own !== undefined && Object.hasOwn(own, name)) return own[name]
    if (name === 'id') return exampleId(declared.noun)
    if (Object.hasOwn(common, name)) return exampleTime
    const field = declared.fields[name]
    return field === undefined ? undefined : fieldExample(name, field)
  }

  const settable = compiled.settable.map(({ name, field }) => [name, field] as const)
  const told = settable.filter(([name, field]) => isTold(name, field, own)).map(([name]) => name)
  const input = told.length > 0 ? told : settable.map(([name]) => name)
  const changed = input.findLast((name) => declared.fields[name]?.required !== true) ?? input[0]
  return {
    instance: gather(compiled.served, valueOf),
    input: gather(input, valueOf),
    patch: changed === undefined ? {} : gather([changed], valueOf),
  }
}

/** Tells whether an example of an input names a field: it must, or there is something to show. */
function isTold(name: string, field: Field, own: JsonObject | undefined): boolean {
  if (isRequired(field)) return true
  if (own !== undefined) return (own[name] ?? null) !== null && !sameJson(own[name], field.default)
  return field.default === undefined && field.writeOnly !== true
}

function gather(
  names: readonly string[],
  valueOf: (name: string) => JsonValue | undefined,
): JsonObject | null {
  const entries = names.map((name) => [name, valueOf(name)] as const)
  const found = entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined)
  return found.length === entries.length ? Object.fromEntries(found) : null
}
