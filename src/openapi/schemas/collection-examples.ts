import { qualifiedName } from '../../core/declaration/collection.ts'
import type { Field } from '../../core/declaration/field.ts'
import type { JsonObject, JsonValue } from '../../core/json.ts'
import { common, type Compiled } from '../../engine/compiled.ts'
import { exampleId, exampleTime, fieldExample } from './field-example.ts'
import { isRequired } from './field-schema.ts'

/** Examples of inputs and outputs; null if a field has no valid example. */
export interface CollectionExamples {
  readonly instance: JsonObject | null
  readonly input: JsonObject | null
  readonly patch: JsonObject | null
}

/** A given example, which is more specific than the one from the declaration. */
export interface GivenExample {
  /** Fields of an instance; the declaration supplies missing ones. */
  readonly instance: JsonObject
  /** Optional fields that an input example shows. */
  readonly input: readonly string[]
}

/** Examples by the qualified name of their collection. */
export type GivenExamples = Readonly<Record<string, GivenExample>>

/** Builds the examples of a collection from given ones, or else from its declaration. */
export function collectionExamples(compiled: Compiled, all: GivenExamples): CollectionExamples {
  const { declared, served, settable } = compiled
  const given = all[qualifiedName(declared)]
  const valueOf = (name: string): JsonValue | undefined => {
    if (given !== undefined && Object.hasOwn(given.instance, name)) return given.instance[name]
    if (name === 'id') return exampleId(declared.noun)
    if (Object.hasOwn(common, name)) return exampleTime
    const field = declared.fields[name]
    return field === undefined ? undefined : fieldExample(name, field)
  }

  const told = settable.filter(({ name, field }) => isTold(name, field, given))
  const input = (told.length > 0 ? told : settable).map(({ name }) => name)
  const changed = input.findLast((name) => declared.fields[name]?.required !== true) ?? input[0]
  return {
    instance: gather(served, valueOf),
    input: gather(input, valueOf),
    patch: changed === undefined ? {} : gather([changed], valueOf),
  }
}

/** Returns true if an input example includes a field: a required one, or one with an example. */
function isTold(name: string, field: Field, given: GivenExample | undefined): boolean {
  if (isRequired(field)) return true
  if (given !== undefined) return given.input.includes(name)
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
