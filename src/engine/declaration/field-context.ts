import type { Kind } from './field-words.ts'

/** The position of a field: in a collection, in an object, or as the item of a list or a map. */
export interface FieldContext {
  readonly kind: 'field' | 'property' | 'item'
  /** A list or a map lies around it: what it holds cannot be named by a filter or an index. */
  readonly listed: boolean
  /**
   * True if a reference is allowed here, so that a deletion can find the instances that refer to
   * another.
   */
  readonly refers: boolean
  readonly depth: number
}

/** A field of a collection. */
export const topLevel: FieldContext = { kind: 'field', listed: false, refers: true, depth: 0 }

/** The place of what a field of this kind holds. */
export function below({ listed, refers, depth }: FieldContext, kind: Kind): FieldContext {
  if (kind === 'object') {
    return { kind: 'property', listed, refers: refers && !listed, depth: depth + 1 }
  }
  return { kind: 'item', listed: true, refers: kind === 'array' && !listed, depth: depth + 1 }
}
