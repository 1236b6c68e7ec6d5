import type { ResourceMethod } from '../../core/declaration/collection.ts'
import type { Access } from '../../core/account.ts'
import type { Compiled } from '../../engine/compiled.ts'
import type { ComponentNames } from '../component-names.ts'
import type { OpenApiOperation } from '../document.ts'

/** Inputs for the operations of a collection. */
export interface PathSource {
  /** The version that the paths begin with, such as `v1`. */
  readonly version: string
  readonly compiled: Compiled
  /** The collection that this one is nested in. */
  readonly parent: Compiled | null
  readonly names: ComponentNames
  /** The name of the schema of responses to writes. */
  readonly written: string
  /** Remarks on the rules of the collection, by method. */
  readonly remarks: Remarks
}

/** Sentences that go with the methods of one collection. */
export type Remarks = Readonly<Partial<Record<ResourceMethod | 'LIST', string>>>

/** An operation without the parts that all operations share. */
export type PlainSource = Omit<OpenApiOperation, 'tags' | 'security'> & { readonly access: Access }
