import type { Field, Fields, ValueOf } from './field.ts'

/** The methods that act on a resource. HEAD and OPTIONS follow from them. */
export type ResourceMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A collection: one declaration, from which routes, validation, tables and documents are derived. */
export interface Collection<F extends Fields = Fields> {
  /** The plural, as in the path. */
  readonly name: string
  /** The singular: the prefix of generated identifiers. */
  readonly noun: string
  /** One sentence for the reference. */
  readonly description: string
  /** The collection that this one is nested in, if any. An instance is reached through its parent only. */
  readonly parent: string | null
  readonly order: 'newestFirst' | 'oldestFirst'
  /** The fields that `search` looks into. */
  readonly searchedBy: readonly string[]
  /** A store that can makes an index for `search`; otherwise a search reads the texts one by one. */
  readonly searchIndex?: boolean
  /** Methods on the collection and on an instance. */
  readonly methods: {
    readonly collection: readonly ResourceMethod[]
    readonly instance: readonly ResourceMethod[]
  }
  /** Only a key with the scope `admin` reaches it; its instances belong to the installation. */
  readonly administratorsOnly: boolean
  /** Only a key with the scope `admin` makes, changes and removes instances; others may read their own. */
  readonly changedByAdministrators: boolean
  /** An instance's own field `account` says whose it is; an administrator sees those of every account. */
  readonly owned: boolean
  /** An instance is changed and removed only under `If-Match`, so that no one overwrites unseen. */
  readonly conditional: boolean
  /** Each change of an instance is recorded in `auditEvents`. */
  readonly audited: boolean
  /** It holds which instances of this root collection belong to its parent, and shows those. */
  readonly membersOf: string | null
  /**
   * Only the service creates its instances, and removes them after some days, so a store may
   * partition them by day. No other instance refers to them.
   */
  readonly passing?: true
  /** Filters of lists by name, besides those by fields. Operators cannot declare them. */
  readonly filters?: Readonly<Record<string, NamedFilter>>
  /** Fields that were declared once, dotted into objects; what instances still have of them is dropped. */
  readonly removedFields: readonly string[]
  readonly fields: F
}

/** A filter that is no field: it compares one field in some instances, and another field in others. */
export interface NamedFilter {
  /** One sentence for the reference. */
  readonly description: string
  /** Instances with these values are compared by this field. */
  readonly alternatives: readonly {
    readonly where: Readonly<Record<string, string>>
    readonly field: string
  }[]
}

/** Methods that a declaration names; all of those it does not speak of. */
type Methods = Partial<Collection['methods']>

/** Parameters of `collection`; the others have defaults. */
export interface Declaration<
  F extends Fields = Fields,
  S extends string = string,
  N extends string = string,
  P extends string | null = string | null,
  M extends Methods = Methods,
> {
  readonly name: N
  readonly noun: string
  readonly description: string
  readonly parent?: P
  readonly order?: Collection['order']
  readonly searchedBy?: readonly NoInfer<S>[]
  readonly searchIndex?: boolean
  readonly methods?: M
  readonly administratorsOnly?: boolean
  readonly changedByAdministrators?: boolean
  readonly owned?: boolean
  readonly conditional?: boolean
  readonly audited?: boolean
  readonly membersOf?: string | null
  readonly passing?: true
  readonly removedFields?: readonly string[]
  readonly filters?: NonNullable<Collection['filters']>
  readonly fields: F & { readonly [K in S]: Field }
}

/** Declares a collection. All methods are allowed unless `methods` restricts them. */
export function collection<
  const F extends Fields,
  S extends string & keyof F,
  const N extends string,
  const P extends string | null = null,
  const M extends Methods = Methods,
>(
  declaration: Declaration<F, S, N, P, M>,
): Collection<F> & { readonly name: N; readonly parent: P; readonly methods: M } {
  const { parent = null, methods, ...declared } = declaration
  return {
    order: 'oldestFirst',
    searchedBy: [],
    administratorsOnly: false,
    changedByAdministrators: false,
    owned: false,
    conditional: false,
    audited: false,
    membersOf: null,
    removedFields: [],
    ...declared,
    parent: parent as P,
    methods: {
      collection: ['GET', 'POST'],
      instance: ['GET', 'PUT', 'PATCH', 'DELETE'],
      ...methods,
    } as Collection['methods'] & M,
  }
}

/** Returns true if clients can reach a collection: it has at least one method. */
export function isServed({ methods }: Collection): boolean {
  return methods.collection.length > 0 || methods.instance.length > 0
}

/** The path of a collection below the version, such as `webhooks/{id}/deliveries`. */
export function collectionPath(declared: Collection): string {
  return declared.parent === null ? declared.name : `${declared.parent}/{id}/${declared.name}`
}

/** The name of a collection among all: `webhooks/deliveries` is not `orders/deliveries`. */
export function qualifiedName(declared: Collection): string {
  return declared.parent === null ? declared.name : `${declared.parent}/${declared.name}`
}

/** The type of a collection's instances as they are served. */
export type InstanceOf<C> = C extends { readonly fields: infer F }
  ? { readonly id: string } & {
      readonly [K in keyof F as F[K] extends Hidden ? never : K]: ValueOf<F[K]>
    } & { readonly createdAt: string; readonly updatedAt: string }
  : never

/** Type of an instance's hidden fields: write-only and internal ones. */
export type HiddenOf<C> =
  C extends Collection<infer F>
    ? { readonly [K in keyof F as F[K] extends Hidden ? K : never]?: ValueOf<F[K]> }
    : never

type Hidden = { readonly writeOnly: true } | { readonly internal: true }

/** The states of an instance and the steps between them: a state only moves along this table. */
export interface Lifecycle<S extends string = string> {
  readonly states: readonly S[]
  readonly steps: Readonly<Record<S, readonly S[]>>
}

/** Declares states by their steps. A state without steps is final. */
export function lifecycle<S extends string>(
  steps: Readonly<Record<S, readonly NoInfer<S>[]>>,
): Lifecycle<S> {
  return { states: Object.keys(steps) as S[], steps }
}

/** Returns true if one state may follow another. A step outside the table is late. */
export function mayFollow<S extends string>(cycle: Lifecycle<S>, from: S, to: S): boolean {
  return cycle.steps[from].includes(to)
}

/** Returns true if no state follows. */
export function isFinal<S extends string>(cycle: Lifecycle<S>, state: S): boolean {
  return cycle.steps[state].length === 0
}
