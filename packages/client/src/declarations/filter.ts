import type { Field, Fields } from '../../../../src/core/declaration/field.ts'
import type { Declared } from './declared.ts'
import type { Plain } from './input.ts'

/**
 * Conditions by field; all must hold. A dotted path names a field inside an object. A value means
 * equality, a list any of its values, an object comparisons.
 */
export type Where<C extends Declared> = {
  readonly [L in Leaves<C> as L['path']]?: Filter<L['field']> | undefined
}

/** An order: a field with its direction. */
export type Sort<C extends Declared> = {
  [L in Leaves<C> as L['path']]: L['field'] extends { readonly kind: 'array' }
    ? never
    : `${L['path']}_${'asc' | 'desc'}`
} extends infer S
  ? S[keyof S]
  : never

/** The condition on one field, by the kind of the field. */
export type Filter<X> = OneOrMany<Value<Item<X>>> | Comparisons<X>

type Comparisons<X> = X extends { readonly kind: 'array' | 'boolean' }
  ? Exclusion<X>
  : X extends { readonly kind: 'integer' | 'number' }
    ? Exclusion<X> & Order<X>
    : Exclusion<X> & Order<X> & Pattern

interface Exclusion<X> {
  /** None of these values. */
  readonly ne?: OneOrMany<Value<Item<X>>> | undefined
}

interface Order<X> {
  readonly gt?: Present<X> | undefined
  readonly gte?: Present<X> | undefined
  readonly lt?: Present<X> | undefined
  readonly lte?: Present<X> | undefined
}

interface Pattern {
  /** Case-sensitive; `*` matches any characters. */
  readonly like?: string | undefined
}

type OneOrMany<V> = V | readonly V[]

/** The compared values of an array: its items. */
type Item<X> = X extends { readonly kind: 'array'; readonly items: infer I } ? I : X

type Value<X> = X extends { readonly nullable: true } ? Present<X> | null : Present<X>

type Present<X> = X extends { readonly kind: 'timestamp' } ? string | Date : Plain<X>

/** Fields of every instance. */
interface Common extends Fields {
  readonly id: { readonly kind: 'text' }
  readonly createdAt: { readonly kind: 'timestamp' }
  readonly updatedAt: { readonly kind: 'timestamp' }
}

/** The fields that a filter can name: stored, visible, and down to single values. */
type Leaves<C extends Declared> = LeavesOf<
  Pick<Common, 'id' | 'createdAt' | 'updatedAt'> & C['fields']
>

/** A declaration without literal field names accepts any path. */
type LeavesOf<F> = string extends keyof F
  ? { readonly path: string; readonly field: Field }
  : { [K in keyof F & string]: F[K] extends Unasked ? never : Leaf<K, F[K]> }[keyof F & string]

type Unasked = { readonly writeOnly: true } | { readonly internal: true } | { readonly live: true }

type Leaf<P extends string, X> = Field extends X
  ? { readonly path: P; readonly field: X }
  : X extends { readonly kind: 'object'; readonly properties: infer Q }
    ? { [K in keyof Q & string]: Leaf<`${P}.${K}`, Q[K]> }[keyof Q & string]
    : X extends { readonly kind: 'map'; readonly values: infer V }
      ? Leaf<`${P}.${string}`, V>
      : X extends { readonly kind: 'array'; readonly items: Nested }
        ? never
        : { readonly path: P; readonly field: X }

type Nested = { readonly kind: 'object' | 'map' | 'array' }
