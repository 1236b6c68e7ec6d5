import type { Field, Fields } from '../../../../src/core/declaration/field.ts'
import type { JsonObject } from '../../../../src/core/json.ts'
import type { Declared } from './declared.ts'

/** The input to create or replace an instance. An absent field gets its default, else null. */
export type InputOf<C extends Declared> =
  InputFields<C['fields']> | (C extends { readonly addedBy: infer A extends object } ? A : never)

/** A JSON Merge Patch (RFC 7396) of an instance. Null restores a default. */
export type PatchOf<C extends Declared> = PatchFields<C['fields']> &
  (C extends { readonly patchedBy: infer P extends object } ? P : unknown)

/** The names of the fields that a client may set. */
type Settable<F> = {
  [K in keyof F]: F[K] extends NotSettable ? never : K
}[keyof F]

type NotSettable =
  { readonly readOnly: true } | { readonly internal: true } | { readonly live: true }

type Required<F> = {
  [K in keyof F]: F[K] extends { readonly required: true } ? K : never
}[keyof F]

type InputFields<F> = Flat<
  {
    readonly [K in keyof F as K extends Settable<F> & Required<F> ? K : never]: InputValue<F[K]>
  } & {
    readonly [K in Exclude<Settable<F>, Required<F>>]?: InputValue<F[K]> | undefined
  }
>

type PatchFields<F> = {
  readonly [K in Settable<F>]?: PatchValue<F[K]> | Removal<F[K]> | undefined
}

type Removal<X> = X extends { readonly required: true } ? never : null

/** The input values of a field. A time may be a `Date`. */
export type InputValue<X> = X extends { readonly nullable: true | 'input' }
  ? Given<X> | null
  : Given<X>

type Given<X> = X extends { readonly kind: 'timestamp' }
  ? string | Date
  : X extends { readonly kind: 'object'; readonly open: true }
    ? JsonObject
    : X extends { readonly kind: 'object'; readonly properties: infer P extends Fields }
      ? InputFields<P>
      : X extends { readonly kind: 'array'; readonly items: infer I extends Field }
        ? readonly InputValue<I>[]
        : X extends { readonly kind: 'map'; readonly values: infer V extends Field }
          ? { readonly [name: string]: InputValue<V> }
          : Plain<X>

type PatchValue<X> = X extends { readonly kind: 'object'; readonly open: true }
  ? JsonObject
  : X extends {
        readonly kind: 'object'
        readonly properties: infer P extends Fields
      }
    ? PatchFields<P>
    : X extends { readonly kind: 'map'; readonly values: infer V extends Field }
      ? { readonly [name: string]: PatchValue<V> | null }
      : InputValue<X>

/** The values of a field without nested fields. */
export type Plain<X> = X extends { readonly kind: 'text' | 'reference' }
  ? string
  : X extends { readonly kind: 'integer' | 'number' }
    ? number
    : X extends { readonly kind: 'boolean' }
      ? boolean
      : X extends { readonly kind: 'choice'; readonly enum: readonly (infer V)[] }
        ? V
        : never

/** One object type in place of an intersection, so that an editor shows its members. */
type Flat<T> = { [K in keyof T]: T[K] }
