import type {
  Collection,
  InstanceOf,
  ResourceMethod,
} from '../../../../src/core/declaration/collection.ts'
import type { Fields } from '../../../../src/core/declaration/field.ts'
import type { DeclaredVersion } from '../../../../src/core/declaration/version.ts'

export type { InstanceOf }

/** The part of a collection's declaration that the client's types read. */
export interface Declared {
  readonly name: string
  readonly parent?: string | null | undefined
  readonly fields: Fields
  readonly methods?: Partial<Collection['methods']> | undefined
}

/** The part of a configuration about collections: the type of an operator's `nuncio.config.ts`. */
export interface DeclaredCollections {
  readonly collections?: readonly Declared[] | undefined
  readonly versions?: readonly DeclaredVersion[] | undefined
}

/** The response to a write: the instance, and the fields that it shows once. */
export type WrittenOf<C extends Declared> = InstanceOf<C> &
  (C extends { readonly shows: infer S extends object } ? S : unknown)

/** The names of an instance's fields. */
export type FieldName<C extends Declared> = keyof InstanceOf<C> & string

/** The methods of a collection or of its instances; all methods if the declaration names none. */
export type Offered<C extends Declared, P extends 'collection' | 'instance'> = C extends {
  readonly methods: { readonly [K in P]: readonly ResourceMethod[] }
}
  ? C['methods'][P][number]
  : ResourceMethod

/** The collections of a configuration by their paths, such as `customers` and `customers/orders`. */
export type CollectionsByPath<C extends Declared> = {
  readonly [E in C as PathOf<E>]: E
}

/** The path of a collection; never if the type has lost the name. */
export type PathOf<C extends Declared> = string extends C['name']
  ? never
  : C extends { readonly parent: infer P extends string }
    ? `${P}/${C['name']}`
    : C['name']
