import type { BuiltIn } from './built-in.ts'
import type { CollectionsByPath, Declared, DeclaredCollections } from './declared.ts'
import type { Notifications } from '../notifications/notification.ts'
import type { Resource } from './resource.ts'
import type { CollectionsIn, Newest, VersionName } from './version.ts'

/**
 * A client of the service: a member for each collection, built in or of the configuration `D`, as the
 * version `V` has them.
 */
export type Client<
  D extends DeclaredCollections = NoneDeclared,
  V extends VersionName<D> = Newest<D>,
> = Roots<CollectionsOf<D, V>> & {
  readonly notifications: Notifications
}

/** A configuration without collections of its own. */
export interface NoneDeclared {
  readonly collections?: readonly never[]
}

/** All collections that a service with the configuration `D` has in a version, by their paths. */
type CollectionsOf<D extends DeclaredCollections, V extends string> = BuiltIn &
  CollectionsByPath<Extract<CollectionsIn<D, V>, Declared>>

type Roots<A> = {
  readonly [K in keyof A as K extends `${string}/${string}` ? never : K]: A[K] extends Declared
    ? Resource<A[K]> & Within<A, K & string>
    : never
}

/** The way to what is nested in an instance, where there is anything. */
type Within<A, P extends string> = keyof A & `${P}/${string}` extends never
  ? unknown
  : {
      /** What is nested in the instance with this identifier. */
      at(id: string): {
        readonly [K in keyof A as K extends `${P}/${infer N}` ? N : never]: A[K] extends Declared
          ? Resource<A[K]>
          : never
      }
    }
