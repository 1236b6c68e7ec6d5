import type { Declared, FieldName, InstanceOf, Offered, WrittenOf } from './declared.ts'
import type { InputOf, PatchOf } from './input.ts'
import type { Item, ListQuery, PageOf } from './list-query.ts'
import type {
  ChangeOptions,
  CreateOptions,
  GetOptions,
  PatchOptions,
  PutOptions,
  RequestOptions,
} from '../options.ts'

/** What can be done with a collection: the operations that its declaration offers. */
export type Resource<C extends Declared> = Pick<
  Operations<C>,
  | OnCollection[Offered<C, 'collection'> & keyof OnCollection]
  | OnInstance[Offered<C, 'instance'> & keyof OnInstance]
  | Updating<Offered<C, 'instance'>>
>

/** Every operation. All throw `NuncioProblem` and `NuncioConnectionError`. */
export interface Operations<C extends Declared> {
  /** Makes an instance. Sent again after a failure, it makes no second one. */
  create(input: InputOf<C>, options?: CreateOptions): Promise<WrittenOf<C>>

  /** One page of the instances that the query selects. */
  list<F extends FieldName<C> = FieldName<C>, N extends boolean = false>(
    query?: ListQuery<C, F, N>,
    options?: RequestOptions,
  ): Promise<PageOf<Item<C, F>, N>>

  /** Every instance that the query selects, page after page as they are read. */
  all<F extends FieldName<C> = FieldName<C>>(
    query?: ListQuery<C, F>,
    options?: RequestOptions,
  ): AsyncIterable<Item<C, F>>

  get(id: string, options?: GetOptions<InstanceOf<C>>): Promise<InstanceOf<C>>

  /** Replaces the instance, or makes it under this identifier. */
  put(id: string, input: InputOf<C>, options?: PutOptions): Promise<WrittenOf<C>>

  /** Changes the fields given; null brings back a default. */
  patch(id: string, patch: PatchOf<C>, options?: PatchOptions): Promise<WrittenOf<C>>

  delete(id: string, options?: ChangeOptions): Promise<void>

  /**
   * Reads, lets `change` make the new instance of what is there, and replaces it only if nobody
   * changed it in between; else begins anew, a few times. `change` must do nothing else.
   */
  update(
    id: string,
    change: (current: InstanceOf<C>) => InputOf<C> | Promise<InputOf<C>>,
    options?: RequestOptions,
  ): Promise<WrittenOf<C>>
}

interface OnCollection {
  readonly GET: 'list' | 'all'
  readonly POST: 'create'
}

interface OnInstance {
  readonly GET: 'get'
  readonly PUT: 'put'
  readonly PATCH: 'patch'
  readonly DELETE: 'delete'
}

type Updating<M> = 'GET' | 'PUT' extends M ? 'update' : never
