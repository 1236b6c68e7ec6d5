import type { Instance } from '../../api/client.ts'
import type { FieldDescription } from '../../api/field.ts'
import type { Draft } from './form.tsx'

/** A field that somebody else changed. */
export interface ForeignChange {
  readonly field: FieldDescription
  readonly before: unknown
  readonly after: unknown
  /** What was typed here was for the same field. */
  readonly isMineToo: boolean
}

/** What somebody else changed while an instance was edited. */
export interface Conflict {
  /** When the edited state was written. */
  readonly readAt: string
  readonly changedAt: string
  readonly changes: readonly ForeignChange[]
}

/** Returns the fields of an instance that a form shows. */
export function draftOf(inputs: readonly FieldDescription[], instance: Instance): Draft {
  return Object.fromEntries(
    inputs
      .filter(({ name }) => instance[name] !== undefined && instance[name] !== null)
      .map(({ name }) => [name, instance[name]]),
  )
}

/** Returns a merge patch (RFC 7396): null clears a field that was emptied. */
export function changesOf(instance: Instance, draft: Draft): Draft {
  return Object.fromEntries(
    Object.entries(draft)
      .map(([name, value]) => [name, value ?? null] as const)
      .filter(([name, value]) => !isSame(value, instance[name] ?? null)),
  )
}

/** Compares the state that was edited with the newest one. */
export function conflictOf(
  inputs: readonly FieldDescription[],
  base: Instance,
  latest: Instance,
  patch: Draft,
): Conflict {
  const changes = inputs
    .map((field) => ({
      field,
      before: base[field.name],
      after: latest[field.name],
      isMineToo: field.name in patch,
    }))
    .filter(({ before, after }) => !isSame(before ?? null, after ?? null))
  const writtenAt = (instance: Instance): string => String(instance['updatedAt'] ?? '')
  return { readAt: writtenAt(base), changedAt: writtenAt(latest), changes }
}

/** Returns the newest state with what was typed. */
export function mergeDrafts(
  inputs: readonly FieldDescription[],
  latest: Instance,
  patch: Draft,
): Draft {
  const typed = Object.entries(patch).map(([name, value]) => [name, value ?? undefined])
  return { ...draftOf(inputs, latest), ...Object.fromEntries(typed) }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
