import type { Declared, FieldName, InstanceOf } from './declared.ts'
import type { Sort, Where } from './filter.ts'

/** A list request. `F` are the requested fields; `N` is true if the total is requested. */
export interface ListQuery<
  C extends Declared,
  F extends FieldName<C> = FieldName<C>,
  N extends boolean = boolean,
> {
  readonly where?: Where<C> | undefined
  /** The account to read in: only with a key of the scope `admin`. */
  readonly account?: string | undefined
  /** In order of precedence. */
  readonly sort?: Sort<C> | readonly Sort<C>[] | undefined
  /** Every word must occur in the search fields of the collection. */
  readonly search?: string | undefined
  /** From 1. Not together with `after`. */
  readonly page?: number | undefined
  /** From 1 to 1,000; default 50. */
  readonly pageSize?: number | undefined
  /** The `next` of the previous page. */
  readonly after?: string | undefined
  /** Only these fields, and `id`. */
  readonly fields?: readonly F[] | undefined
  /** Requests the number of all selected instances. */
  readonly count?: N | undefined
}

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[]
  /** The cursor of the next page, for `after`; null on the last page. */
  readonly next: string | null
  /** The number of all selected instances, if `count` was set. */
  readonly total?: number
}

/** A page has a total if the request sets `count`. */
export type PageOf<T, N extends boolean> = N extends true
  ? Page<T> & { readonly total: number }
  : Page<T>

/** An instance with the requested fields. */
export type Item<C extends Declared, F extends FieldName<C>> = [FieldName<C>] extends [F]
  ? InstanceOf<C>
  : Pick<InstanceOf<C>, F | 'id'>
