import type { BuiltIn } from './built-in.ts'
import type { CollectionsByPath, Declared, DeclaredCollections } from './declared.ts'
import type { Notifications } from '../notifications/notification.ts'
import type { Resource } from './resource.ts'
import type { CollectionsIn, Newest, VersionName } from './version.ts'

/**
 * A client of the service: one member for each collection, built in or of the configuration `D`, as
 * in version `V`.
 */
export type Client<
  D extends DeclaredCollections = NoneDeclared,
  V extends VersionName<D> = Newest<D>,
> = Roots<CollectionsOf<D, V>> & {
  readonly notifications: Notifications
}

/** A configuration that declares no collections. */
export interface NoneDeclared {
  readonly collections?: readonly never[]
}

/** All collections of a service with the configuration `D` in a version, by path. */
type CollectionsOf<D extends DeclaredCollections, V extends string> = BuiltIn &
  CollectionsByPath<Extract<CollectionsIn<D, V>, Declared>>

type Roots<A> = {
  readonly [K in keyof A as K extends `${string}/${string}` ? never : K]: A[K] extends Declared
    ? Resource<A[K]> & Within<A, K & string>
    : never
}

/** Access to the nested collections of an instance, if there are any. */
type Within<A, P extends string> = keyof A & `${P}/${string}` extends never
  ? unknown
  : {
      /** The nested collections of the instance with this id. */
      at(id: string): {
        readonly [K in keyof A as K extends `${P}/${infer N}` ? N : never]: A[K] extends Declared
          ? Resource<A[K]>
          : never
      }
    }
