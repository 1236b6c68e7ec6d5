import type { ServiceAccess } from '../client.ts'
import type { GivenArguments } from '../command.ts'
import type { ProcessContext } from '../process-context.ts'
import type { AnyCollection } from './any-collection.ts'

/** A collection with a separate command. */
export interface ShownCollection {
  readonly name: string
  /** One instance, with its article: `a key`. */
  readonly noun: string
  /** The columns of its list: paths of fields. Null: chosen from the instances. */
  readonly columns: readonly string[] | null
}

/** A call of a collection's command. */
export interface CollectionCall extends ShownCollection {
  readonly collection: AnyCollection
  readonly access: ServiceAccess
  readonly given: GivenArguments
  readonly context: ProcessContext
}
