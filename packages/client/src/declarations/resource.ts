import type { Declared, FieldName, InstanceOf, Offered, WrittenOf } from './declared.ts'
import type { InputOf, PatchOf } from './input.ts'
import type { Item, ListQuery, PageOf } from './list-query.ts'
import type {
  CreateOptions,
  DeleteOptions,
  GetOptions,
  PatchOptions,
  PutOptions,
  RequestOptions,
} from '../options.ts'

/** The operations of a collection, by the methods of its declaration. */
export type Resource<C extends Declared> = Pick<
  Operations<C>,
  | OnCollection[Offered<C, 'collection'> & keyof OnCollection]
  | OnInstance[Offered<C, 'instance'> & keyof OnInstance]
  | Updating<Offered<C, 'instance'>>
>

/** Every operation. All throw `NuncioProblem` and `NuncioConnectionError`. */
export interface Operations<C extends Declared> {
  /** Creates an instance. A retry does not create a second one. */
  create(input: InputOf<C>, options?: CreateOptions): Promise<WrittenOf<C>>

  /** Returns one page of the selected instances. */
  list<F extends FieldName<C> = FieldName<C>, N extends boolean = false>(
    query?: ListQuery<C, F, N>,
    options?: RequestOptions,
  ): Promise<PageOf<Item<C, F>, N>>

  /** Yields every selected instance, and reads page by page. */
  all<F extends FieldName<C> = FieldName<C>>(
    query?: ListQuery<C, F>,
    options?: RequestOptions,
  ): AsyncIterable<Item<C, F>>

  get(id: string, options?: GetOptions<InstanceOf<C>>): Promise<InstanceOf<C>>

  /** Replaces the instance, or creates it with this id. */
  put(id: string, input: InputOf<C>, options?: PutOptions): Promise<WrittenOf<C>>

  /** Changes the given fields; null restores a default. */
  patch(id: string, patch: PatchOf<C>, options?: PatchOptions): Promise<WrittenOf<C>>

  delete(id: string, options?: DeleteOptions): Promise<void>

  /**
   * Reads the instance, calls `change`, and replaces the instance only if it has not changed since;
   * otherwise repeats, a few times. `change` must have no side effects.
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
