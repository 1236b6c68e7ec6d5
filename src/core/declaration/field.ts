import type { FormatName } from './format.ts'
import type { JsonObject, JsonValue } from '../json.ts'

/** Options of every field type, named as in JSON Schema if it has them. */
export interface FieldTraits {
  /** One sentence for the reference. */
  readonly description?: string
  /** The client must give it when it creates or replaces an instance. */
  readonly required?: boolean
  /**
   * `null` is a value of it, and its value if the client gives none and there is no default. `'input'`:
   * a client may give null, and the rules of the collection replace it, so that no instance has it.
   */
  readonly nullable?: boolean | 'input'
  /** The value where the client gives none. Without `nullable`, null is refused when it creates an instance. */
  readonly default?: JsonValue
  /** The service sets it; on input it is ignored, so that GET, change, PUT works. */
  readonly readOnly?: boolean
  /**
   * The service accepts and stores it, and never shows it. If absent from input, it stays
   * unchanged.
   */
  readonly writeOnly?: boolean
  /** The service neither accepts nor shows it: the collection's rules set it. */
  readonly internal?: boolean
  /** The store encrypts an internal field if it has a key. It encrypts write-only texts in any case. */
  readonly secret?: boolean
  /**
   * The service computes it on each read and does not store it, so filters and sorts cannot use it.
   * The collection's rules find a client's value in the input.
   */
  readonly live?: boolean
  /** The member of an object that the service sets may be absent. */
  readonly optional?: boolean
  /** The store keeps an index on it, for filters and sorts on large collections. */
  readonly indexed?: boolean
  /** No two instances of an account have the same value; in an owned collection, no two of any account. */
  readonly unique?: boolean
}

/** A text. */
export interface TextField extends FieldTraits {
  readonly kind: 'text'
  /** In Unicode code points, as in JSON Schema. */
  readonly minLength?: number
  readonly maxLength?: number
  /**
   * A regular expression (ECMA-262 with `u`) that is found in the text; `^` and `$` bind it to its ends.
   * Where there is a format too, a text that breaks both is told of the pattern.
   */
  readonly pattern?: string
  /** Description of the pattern that follows "must be". */
  readonly form?: string
  readonly format?: FormatName
}

/** A number, whole or not. */
export interface NumberField extends FieldTraits {
  readonly kind: 'integer' | 'number'
  readonly minimum?: number
  readonly maximum?: number
}

/** True or false. */
export interface BooleanField extends FieldTraits {
  readonly kind: 'boolean'
}

/** ISO 8601 timestamp: any offset on input, stored and shown in UTC with milliseconds. */
export interface TimestampField extends FieldTraits {
  readonly kind: 'timestamp'
}

/** One of the texts listed. */
export interface ChoiceField<V extends string = string> extends FieldTraits {
  readonly kind: 'choice'
  readonly enum: readonly V[]
  /**
   * The values with few instances. A store in which an index makes updates expensive (PostgreSQL) indexes
   * these alone: changes among the other values write to no index.
   */
  readonly indexedValues?: readonly string[]
}

/** An object with the fields listed. */
export interface ObjectField<F extends Fields = Fields> extends FieldTraits {
  readonly kind: 'object'
  readonly properties: F
  /** It may have other members besides: what they are the rules of its collection say. */
  readonly open?: boolean
}

/** A list of values of one kind. */
export interface ArrayField<I = unknown> extends FieldTraits {
  readonly kind: 'array'
  readonly items: I
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
}

/** An object with names of the client's own choice, all its values of one kind. */
export interface MapField<I = unknown> extends FieldTraits {
  readonly kind: 'map'
  readonly values: I
  readonly maxProperties?: number
}

/** The identifier of an instance of a collection at the root; it must exist when it is written. */
export interface ReferenceField extends FieldTraits {
  readonly kind: 'reference'
  readonly collection: string
  /**
   * Effect on this instance if the referenced one is deleted. `restrict`, the default, refuses the
   * deletion; `setNull` empties this field; `cascade` deletes this instance too.
   */
  readonly onDelete?: 'restrict' | 'setNull' | 'cascade'
}

/** A field of a collection: plain data, so that TypeScript and JSON declare in the same language. */
export type Field =
  | TextField
  | NumberField
  | BooleanField
  | TimestampField
  | ChoiceField
  | ObjectField
  | ArrayField<Field>
  | MapField<Field>
  | ReferenceField

/** Fields by name, in their order on the wire. */
export interface Fields {
  readonly [name: string]: Field
}

type Options<F extends FieldTraits> = Omit<
  F,
  'kind' | 'enum' | 'properties' | 'items' | 'values' | 'collection'
>

/** Known options only: a misspelt option is a compile error. */
type Only<O, F extends FieldTraits> = O & {
  readonly [K in Exclude<keyof O, keyof Options<F>>]: never
}

/** A text. */
export const text = <const O extends Options<TextField>>(options?: Only<O, TextField>) =>
  ({ kind: 'text', ...options }) as { readonly kind: 'text' } & O

/** A whole number, exact in a double (RFC 8259 section 6). */
export const integer = <const O extends Options<NumberField>>(options?: Only<O, NumberField>) =>
  ({ kind: 'integer', ...options }) as { readonly kind: 'integer' } & O

/** A number. */
export const number = <const O extends Options<NumberField>>(options?: Only<O, NumberField>) =>
  ({ kind: 'number', ...options }) as { readonly kind: 'number' } & O

/** True or false. */
export const boolean = <const O extends Options<BooleanField>>(options?: Only<O, BooleanField>) =>
  ({ kind: 'boolean', ...options }) as { readonly kind: 'boolean' } & O

/** A point in time. */
export const timestampField = <const O extends Options<TimestampField>>(
  options?: Only<O, TimestampField>,
) => ({ kind: 'timestamp', ...options }) as { readonly kind: 'timestamp' } & O

/** One of the texts listed. */
export const choice = <const V extends string, const O extends Options<ChoiceField>>(
  values: readonly V[],
  options?: Only<O, ChoiceField>,
) => ({ kind: 'choice', enum: values, ...options }) as { kind: 'choice'; enum: readonly V[] } & O

/** An object with the fields listed. */
export const object = <const F extends Fields, const O extends Options<ObjectField>>(
  properties: F,
  options?: Only<O, ObjectField>,
) => ({ kind: 'object', properties, ...options }) as { kind: 'object'; properties: F } & O

/** A list of values of one kind. */
export const array = <const I extends Field, const O extends Options<ArrayField>>(
  items: I,
  options?: Only<O, ArrayField>,
) => ({ kind: 'array', items, ...options }) as { kind: 'array'; items: NoInfer<I> } & O

/** An object with names of the client's own choice. */
export const map = <const I extends Field, const O extends Options<MapField>>(
  values: I,
  options?: Only<O, MapField>,
) => ({ kind: 'map', values, ...options }) as { kind: 'map'; values: NoInfer<I> } & O

/** The identifier of an instance of the collection named. */
export const reference = <const O extends Options<ReferenceField>>(
  collection: string,
  options?: Only<O, ReferenceField>,
) =>
  ({ kind: 'reference', collection, ...options }) as { kind: 'reference'; collection: string } & O

/** Returns the names of fields, in their order. */
export function namesOf<F extends Fields>(fields: F): readonly (keyof F & string)[] {
  return Object.keys(fields)
}

/** Returns true if the store encrypts a field. */
export function isSecret({ kind, writeOnly, secret }: Field): boolean {
  return secret === true || (writeOnly === true && kind === 'text')
}

/** The values of fields for which a client may give none. */
export type DefaultsOf<F> = {
  readonly [
    K in keyof F as F[K] extends { readonly default: unknown } | { readonly nullable: true }
      ? K
      : never
  ]: ValueOf<F[K]>
}

/** Returns the values of fields that have a default or may be null: their defaults, else null; not of their members. */
export function defaultsOf<F extends Fields>(fields: F): DefaultsOf<F> {
  const open = Object.entries(fields).filter(
    ([, field]) => field.default !== undefined || field.nullable === true,
  )
  const values = open.map(([name, field]) => [name, field.default ?? null])
  return Object.fromEntries(values) as DefaultsOf<F>
}

/** The type of the values that a field holds. */
export type ValueOf<F> = F extends { readonly nullable: true } ? PresentOf<F> | null : PresentOf<F>

/** Members that may be absent are those declared so. */
type ObjectOf<P> = Flat<
  {
    readonly [K in keyof P as P[K] extends { readonly optional: true } ? never : K]: ValueOf<P[K]>
  } & {
    readonly [K in keyof P as P[K] extends { readonly optional: true } ? K : never]?: ValueOf<P[K]>
  }
>

/** One type with the members of an intersection. */
type Flat<T> = { readonly [K in keyof T]: T[K] }

type PresentOf<F> = F extends { readonly kind: 'text' | 'timestamp' | 'reference' }
  ? string
  : F extends { readonly kind: 'integer' | 'number' }
    ? number
    : F extends { readonly kind: 'boolean' }
      ? boolean
      : F extends { readonly kind: 'choice'; readonly enum: readonly (infer V)[] }
        ? V
        : F extends { readonly kind: 'object'; readonly open: true }
          ? JsonObject
          : F extends { readonly kind: 'object'; readonly properties: infer P }
            ? ObjectOf<P>
            : F extends { readonly kind: 'array'; readonly items: infer I }
              ? readonly ValueOf<I>[]
              : F extends { readonly kind: 'map'; readonly values: infer I }
                ? { readonly [name: string]: ValueOf<I> }
                : never
