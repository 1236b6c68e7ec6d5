import { sameJson, type JsonObject, type JsonValue } from '../core/json.ts'
import type { Compiled } from './compiled.ts'

/** An instance before it is stored: its served part and its hidden part. */
export interface Composed {
  readonly instance: JsonObject
  readonly hidden: JsonObject | null
}

/** A stored instance, parsed. */
export interface Before {
  readonly instance: JsonObject
  readonly hidden: JsonObject | null
}

/**
 * Composes an instance from the input's values and the defaults. Read-only fields stay unchanged,
 * and are null in a new instance. Omitted write-only fields stay unchanged too. `now` is the time
 * of a new instance.
 */
export function compose(
  compiled: Compiled,
  id: string,
  input: JsonObject,
  before: Before | null,
  now: string,
): Composed {
  const instance: Record<string, JsonValue> = { ...compiled.blank, id }
  for (const name of compiled.stored) {
    const field = compiled.declared.fields[name]
    const value = field?.readOnly === true ? before?.instance[name] : input[name]
    instance[name] = value ?? field?.default ?? null
  }
  instance['createdAt'] = before?.instance['createdAt'] ?? now
  instance['updatedAt'] = before?.instance['updatedAt'] ?? now
  return { instance, hidden: composeHidden(compiled, input, before?.hidden ?? null) }
}

/** Returns whether a write would change nothing. The time of the last change does not count. */
export function sameContent(before: Before, after: Composed): boolean {
  const [was, is] = [before.instance, after.instance]
  const names = Object.keys(is)
  return (
    names.length === Object.keys(was).length &&
    names.every((name) => name === 'updatedAt' || sameJson(was[name], is[name])) &&
    sameJson(before.hidden ?? {}, after.hidden ?? {})
  )
}

function composeHidden(
  compiled: Compiled,
  input: JsonObject,
  before: JsonObject | null,
): JsonObject | null {
  const hidden: Record<string, JsonValue> = { ...before }
  for (const { name, field } of compiled.settable) {
    const value = input[name]
    if (field.writeOnly === true && value !== undefined) hidden[name] = value
  }
  return Object.keys(hidden).length === 0 ? null : hidden
}
