import type { Kind } from './field-words.ts'

/** The position of a field: in a collection, in an object, or as the item of a list or a map. */
export interface FieldContext {
  readonly kind: 'field' | 'property' | 'item'
  /** True inside a list or a map, whose items no filter or index can name. */
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

/** Returns the context of the fields inside a field of this kind. */
export function below({ listed, refers, depth }: FieldContext, kind: Kind): FieldContext {
  if (kind === 'object') {
    return { kind: 'property', listed, refers: refers && !listed, depth: depth + 1 }
  }
  return { kind: 'item', listed: true, refers: kind === 'array' && !listed, depth: depth + 1 }
}
