import type { Collection, Declaration } from '../core/declaration/collection.ts'
import type { DeclaredVersion } from '../core/declaration/version.ts'
import type { OpenIdGrant, OpenIdProvider } from '../core/declaration/open-id.ts'
import type { Config, SettingName } from './config.ts'

/** The type of a setting in a configuration file: numbers and lists as such, the rest as text. */
type Written<T> = T extends number ? number : T extends readonly (infer I)[] ? readonly I[] : string

/** The operator's collections, with or without `collection` around them. */
type Declared = readonly (Collection | Declaration)[]

/** The export of a configuration file. Every key is optional. */
export type ConfigInput<
  C extends Declared = Declared,
  V extends readonly DeclaredVersion[] = readonly DeclaredVersion[],
> = {
  readonly [K in keyof Pick<Config, Exclude<SettingName, 'config'>>]?:
    Written<NonNullable<Config[K]>> | undefined
} & {
  readonly collections?: C | undefined
  /** Versions of the operator's collections, the oldest first; v1 is implicit. */
  readonly versions?: V | undefined
  /** Carriers, or paths of JSON files with one each. */
  readonly carriers?: readonly (string | DeclaredCarrier)[] | undefined
  /** The OpenID provider at which people sign in. */
  readonly oidc?: DeclaredOpenId | undefined
}

/** An OpenID provider in a configuration file. */
export interface DeclaredOpenId extends Partial<Pick<OpenIdProvider, 'scope'>> {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret?: string | { readonly env: string } | undefined
  /** The address at which browsers reach this service. */
  readonly url: string
  /** The first grant that matches decides. */
  readonly grants: readonly OpenIdGrant[]
}

/** A carrier in a configuration file: the body of a PUT, with its identifier. */
export interface DeclaredCarrier {
  readonly id: string
  readonly type: string
  readonly [field: string]: unknown
}

/**
 * Returns its argument and gives an editor the types of a configuration file. The returned type keeps
 * the declared collections and versions for the typed client.
 */
export function defineConfig<const C extends Declared = readonly []>(
  config: ConfigInput<C, readonly []> & { readonly versions?: undefined },
): ConfigInput<C, readonly []>
/** Returns its argument: the overload for a configuration file that declares versions. */
export function defineConfig<
  const C extends Declared = readonly [],
  const V extends readonly DeclaredVersion[] = readonly DeclaredVersion[],
>(config: ConfigInput<C, V> & { readonly versions: V }): ConfigInput<C, V>
/** Returns its argument. */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config
}
