import type { Field } from './field.ts'
import type { JsonValue } from '../json.ts'

/** One difference between a version and the one before it, in both directions. */
export type VersionChange =
  /** The version before knows the collection by another plural. */
  | { readonly kind: 'collectionRenamed'; readonly from: string; readonly to: string }
  /** The version before does not have the collection. */
  | { readonly kind: 'collectionAdded'; readonly collection: string }
  | {
      readonly kind: 'fieldRenamed'
      readonly collection: string
      readonly from: string
      readonly to: string
    }
  /** The version before does not know the field: it does not see it, and its writes leave it as it is. */
  | { readonly kind: 'fieldAdded'; readonly collection: string; readonly field: string }
  /** The version before had the field: it is shown `value`, and what it sends is passed over. */
  | {
      readonly kind: 'fieldRemoved'
      readonly collection: string
      readonly field: string
      readonly value: JsonValue
      /** Declaration in the previous version, for its document; by default derived from the value. */
      readonly was?: Field
    }
  /** The values of a field changed: `up` makes the new of the old, `down` the old of the new. */
  | {
      readonly kind: 'fieldChanged'
      readonly collection: string
      readonly field: string
      readonly up: (value: JsonValue) => JsonValue
      readonly down: (value: JsonValue) => JsonValue
      /** Texts that the version before does not have: there they are called otherwise. */
      readonly later?: readonly string[]
      /** Declaration in the previous version, for its document; by default any value. */
      readonly was?: Field
    }

/** A version of the interface, as changes over the version before it. The first has none. */
export interface Version {
  /** Such as `v1`, `v2` or `v1.1.0`. */
  readonly name: string
  /** Collections are named as they are called in this version, nested ones as `webhooks/deliveries`. */
  readonly changes: readonly VersionChange[]
  /** Since when it is deprecated (RFC 9745), in milliseconds since 1970. */
  readonly deprecatedAt?: number
  /** When it ends (RFC 8594), in milliseconds since 1970. */
  readonly sunsetAt?: number
  /** It has ended: everything in it is answered 410. */
  readonly retired?: boolean
}

/** Change in a configuration file: the code's changes, and single values. */
export type DeclarationChange =
  | VersionChange
  /** The texts of a field are called otherwise: those of the version before, each with the new one. */
  | {
      readonly kind: 'fieldChanged'
      readonly collection: string
      readonly field: string
      readonly values: Readonly<Record<string, string>>
    }

/** A version as a configuration file has it; times in ISO 8601. */
export interface DeclaredVersion {
  readonly name: string
  readonly changes?: readonly DeclarationChange[] | undefined
  readonly deprecatedAt?: string | undefined
  readonly sunsetAt?: string | undefined
  readonly retired?: boolean | undefined
}
