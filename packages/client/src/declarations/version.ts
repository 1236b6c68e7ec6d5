import type { Field } from '../../../../src/core/declaration/field.ts'
import type { DeclaredVersion } from '../../../../src/core/declaration/version.ts'
import type { Declared, DeclaredCollections, PathOf } from './declared.ts'

/** The versions that a configuration declares, oldest first, without `v1`. */
export type VersionsOf<D extends DeclaredCollections> = D extends {
  readonly versions?: infer V
}
  ? [NonNullable<V>] extends [never]
    ? readonly []
    : NonNullable<V> extends readonly DeclaredVersion[]
      ? NonNullable<V>
      : readonly []
  : readonly []

/** The names of the versions of a service with the configuration `D`; any name if it declares none. */
export type VersionName<D extends DeclaredCollections> =
  VersionsOf<D> extends readonly [] ? `v${number}${string}` : 'v1' | VersionsOf<D>[number]['name']

/** The newest version, in which the configuration is written. */
export type Newest<D extends DeclaredCollections> = (VersionsOf<D> extends readonly [
  ...unknown[],
  { readonly name: infer N extends string },
]
  ? N
  : VersionsOf<D> extends readonly []
    ? 'v1'
    : VersionsOf<D>[number]['name']) &
  VersionName<D>

/** The collections of `D` as a union, as in version `V`. */
export type CollectionsIn<D extends DeclaredCollections, V extends string> = Before<
  NonNullable<D['collections']>[number],
  VersionsOf<D>,
  V
>

/** Reverts the changes of every version above `V`, newest first. */
type Before<C, A extends readonly unknown[], V extends string> = A extends readonly [
  ...infer Rest,
  infer Last,
]
  ? Last extends { readonly name: V }
    ? C
    : Before<Undone<C, ChangesOf<Last>>, Rest, V>
  : C

type ChangesOf<A> = A extends { readonly changes: infer G extends readonly unknown[] }
  ? G
  : readonly []

type Undone<C, G extends readonly unknown[]> = G extends readonly [...infer Rest, infer Last]
  ? Undone<C extends Declared ? Undo<C, Last> : never, Rest>
  : C

/** A collection before one change; never if the change added it. */
type Undo<C extends Declared, G> = G extends {
  readonly kind: 'collectionRenamed'
  readonly from: infer From extends string
  readonly to: infer To extends string
}
  ? Renamed<C, From, To>
  : G extends { readonly kind: 'collectionAdded'; readonly collection: infer N extends string }
    ? PathOf<C> extends N | `${N}/${string}`
      ? never
      : C
    : G extends { readonly collection: PathOf<C> }
      ? Omit<C, 'fields'> & { readonly fields: FieldsBefore<C['fields'], G> }
      : C

type Renamed<C extends Declared, From extends string, To extends string> =
  PathOf<C> extends To
    ? Omit<C, 'name'> & { readonly name: LastOf<From> }
    : PathOf<C> extends `${To}/${string}`
      ? Omit<C, 'parent'> & { readonly parent: From }
      : C

type LastOf<P extends string> = P extends `${string}/${infer N}` ? N : P

type FieldsBefore<F, G> = G extends {
  readonly kind: 'fieldRenamed'
  readonly from: infer From extends string
  readonly to: infer To extends string
}
  ? { readonly [K in keyof F as K extends To ? From : K]: F[K] }
  : G extends { readonly kind: 'fieldAdded'; readonly field: infer N extends string }
    ? { readonly [K in keyof F as K extends N ? never : K]: F[K] }
    : G extends { readonly kind: 'fieldRemoved'; readonly field: infer N extends string }
      ? F & { readonly [K in N]: Was<G> & { readonly readOnly: true; readonly live: true } }
      : G extends { readonly kind: 'fieldChanged'; readonly field: infer N extends string }
        ? { readonly [K in keyof F]: K extends N ? Changed<F[K], G> : F[K] }
        : F

/** A removed field: its declaration, else the type of the value shown. */
type Was<G> = G extends { readonly was: infer W extends Field }
  ? Omit<W, 'required'>
  : G extends { readonly value: infer X }
    ? OfValue<X>
    : Field

type OfValue<X> = X extends string
  ? { readonly kind: 'text' }
  : X extends number
    ? { readonly kind: 'number' }
    : X extends boolean
      ? { readonly kind: 'boolean' }
      : X extends null
        ? { readonly kind: 'text'; readonly nullable: true }
        : Field

/** A field with other values before: its declaration, else its earlier texts. */
type Changed<X, G> = G extends { readonly was: infer W extends Field }
  ? W
  : G extends { readonly values: infer T extends Readonly<Record<string, string>> }
    ? X extends { readonly enum: readonly (infer E)[] }
      ? Omit<X, 'enum'> & { readonly enum: readonly (Exclude<E, T[keyof T]> | keyof T)[] }
      : X
    : Untold<X>

/** The earlier values are undeclared: any value is possible. */
type Untold<X> = Field & Pick<X, keyof X & ('required' | 'readOnly' | 'nullable')>
