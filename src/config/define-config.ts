import type { Collection, Declaration } from '../core/declaration/collection.ts'
import type { DeclaredVersion } from '../core/declaration/version.ts'
import type { Config, SettingName } from './config.ts'

/** The settings as a configuration file writes them: numbers and lists as such, the rest as text. */
type Written<T> = T extends number ? number : T extends readonly (infer I)[] ? readonly I[] : string

/** Collections of the operator's own, completed by `collection` or as they are declared. */
type Declared = readonly (Collection | Declaration)[]

/** What a configuration file exports. Every key may be left out. */
export type ConfigInput<
  C extends Declared = Declared,
  V extends readonly DeclaredVersion[] = readonly DeclaredVersion[],
> = {
  readonly [K in keyof Pick<Config, Exclude<SettingName, 'config'>>]?:
    Written<NonNullable<Config[K]>> | undefined
} & {
  readonly collections?: C | undefined
  /** Versions of the operator's own collections, the oldest first; v1 goes without saying. */
  readonly versions?: V | undefined
  /** Carriers, or the paths of JSON files that hold one each. */
  readonly carriers?: readonly (string | DeclaredCarrier)[] | undefined
}

/** A carrier as a configuration file declares it: what a PUT would send, with its identifier. */
export interface DeclaredCarrier {
  readonly id: string
  readonly type: string
  readonly [field: string]: unknown
}

/**
 * Gives an editor the types of a configuration file; returns what it is given. The type keeps the
 * collections and the versions as they are declared, so that a client knows them too.
 */
export function defineConfig<const C extends Declared = readonly []>(
  config: ConfigInput<C, readonly []> & { readonly versions?: undefined },
): ConfigInput<C, readonly []>
/** Gives an editor the types of a configuration file that declares versions, too. */
export function defineConfig<
  const C extends Declared = readonly [],
  const V extends readonly DeclaredVersion[] = readonly DeclaredVersion[],
>(config: ConfigInput<C, V> & { readonly versions: V }): ConfigInput<C, V>
/** Returns what it is given. */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config
}
