import type { Declared, FieldName, InstanceOf } from './declared.ts'
import type { Sort, Where } from './filter.ts'

/** What a list is asked for. `F` are the fields wanted, `N` tells whether the total is. */
export interface ListQuery<
  C extends Declared,
  F extends FieldName<C> = FieldName<C>,
  N extends boolean = boolean,
> {
  readonly where?: Where<C> | undefined
  /** In order of precedence. */
  readonly sort?: Sort<C> | readonly Sort<C>[] | undefined
  /** Every word must occur in the fields that the collection is searched by. */
  readonly search?: string | undefined
  /** From 1. Not together with `after`. */
  readonly page?: number | undefined
  /** From 1 to 1,000; 50 where none is given. */
  readonly pageSize?: number | undefined
  /** The `next` of the page before. */
  readonly after?: string | undefined
  /** Only these fields, and `id`. */
  readonly fields?: readonly F[] | undefined
  /** Asks for the number of all instances that are selected. */
  readonly count?: N | undefined
}

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[]
  /** Where the next page begins, for `after`; null on the last one. */
  readonly next: string | null
  /** The number of all instances that are selected, where `count` was asked for. */
  readonly total?: number
}

/** A page whose total was asked for has it. */
export type PageOf<T, N extends boolean> = N extends true
  ? Page<T> & { readonly total: number }
  : Page<T>

/** An instance with the fields that were asked for. */
export type Item<C extends Declared, F extends FieldName<C>> = [FieldName<C>] extends [F]
  ? InstanceOf<C>
  : Pick<InstanceOf<C>, F | 'id'>
