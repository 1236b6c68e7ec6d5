import type { Collection, Declaration } from '../core/collection.ts'
import type { Fields } from '../core/field.ts'
import type { Config, SettingName } from './config.ts'

/** The settings as a configuration file writes them: numbers and lists as such, the rest as text. */
type Written<T> = T extends number ? number : T extends readonly (infer I)[] ? readonly I[] : string

/** What a configuration file exports. Every key may be left out. */
export type ConfigInput = {
  readonly [K in keyof Pick<Config, Exclude<SettingName, 'config'>>]?:
    Written<NonNullable<Config[K]>> | undefined
} & {
  /** Collections of the operator's own. */
  readonly collections?: readonly (Collection | Declaration<Fields, string>)[] | undefined
}

/** Gives an editor the types of a configuration file; returns what it is given. */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config
}
