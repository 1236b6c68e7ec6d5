import type {
  Collection,
  InstanceOf,
  ResourceMethod,
} from '../../../../src/core/declaration/collection.ts'
import type { Fields } from '../../../../src/core/declaration/field.ts'
import type { DeclaredVersion } from '../../../../src/core/declaration/version.ts'

export type { InstanceOf }

/** A declaration of a collection, as far as the client's types read it. */
export interface Declared {
  readonly name: string
  readonly parent?: string | null | undefined
  readonly fields: Fields
  readonly methods?: Partial<Collection['methods']> | undefined
}

/** What a configuration says of collections: the type of an operator's `nuncio.config.ts`. */
export interface DeclaredCollections {
  readonly collections?: readonly Declared[] | undefined
  readonly versions?: readonly DeclaredVersion[] | undefined
}

/** The answer to a write: the instance, and what its collection shows this once. */
export type WrittenOf<C extends Declared> = InstanceOf<C> &
  (C extends { readonly shows: infer S extends object } ? S : unknown)

/** The names of what an instance shows. */
export type FieldName<C extends Declared> = keyof InstanceOf<C> & string

/** The methods that a collection offers, on itself or on its instances. All, where it says nothing. */
export type Offered<C extends Declared, P extends 'collection' | 'instance'> = C extends {
  readonly methods: { readonly [K in P]: readonly ResourceMethod[] }
}
  ? C['methods'][P][number]
  : ResourceMethod

/** The collections of a configuration by their paths, such as `customers` and `customers/orders`. */
export type CollectionsByPath<C extends Declared> = {
  readonly [E in C as PathOf<E>]: E
}

/** The path of a collection; none where the type has lost the name. */
export type PathOf<C extends Declared> = string extends C['name']
  ? never
  : C extends { readonly parent: infer P extends string }
    ? `${P}/${C['name']}`
    : C['name']
