import type { ResourceMethod } from '../../core/declaration/collection.ts'
import type { Access } from '../../core/declaration/scope.ts'
import type { Compiled } from '../../engine/compiled.ts'
import type { ComponentNames } from '../component-names.ts'
import type { OpenApiOperation } from '../document.ts'

/** What the operations of a collection are made of. */
export interface PathSource {
  /** The version that the paths begin with, such as `v1`. */
  readonly version: string
  readonly compiled: Compiled
  /** The collection that this one is nested in. */
  readonly parent: Compiled | null
  readonly names: ComponentNames
  /** The name of the schema that answers to writes have. */
  readonly written: string
  /** What the rules of the collection add, by method. */
  readonly remarks: Remarks
}

/** Sentences that go with the methods of one collection. */
export type Remarks = Readonly<Partial<Record<ResourceMethod | 'LIST', string>>>

/** What an operation says beside what every operation says. */
export type PlainSource = Omit<OpenApiOperation, 'tags' | 'security'> & { readonly access: Access }
