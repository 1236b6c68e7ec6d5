import type { LogLevel } from '../core/ports/log.ts'
import type { NodeRole } from '../core/ports/nodes.ts'
import type { NationalLanguage } from '../core/national-language.ts'

/** Where instances are kept: a file, this process alone (nothing outlives it), or a database. */
export type StoreLocation =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'memory' }
  | { readonly kind: 'postgres'; readonly url: string }

/** The configuration as the program uses it: every value parsed and checked. Frozen. */
export interface Config {
  /** The address or name to listen on. */
  readonly host: string
  /** 0 to 65,535; 0 takes any free port. */
  readonly port: number
  readonly store: StoreLocation
  /** The parts of the service that this node runs. */
  readonly roles: readonly NodeRole[]
  /** Null: made at the first start. */
  readonly adminKey: string | null
  /** Networks in CIDR notation (RFC 4632, RFC 4291) that webhooks may reach besides public ones. */
  readonly webhookNetworks: readonly string[]
  /** Networks that carriers over HTTP may reach besides public ones. */
  readonly carrierNetworks: readonly string[]
  /** Seconds to wait before each further attempt; the last one repeats. */
  readonly retrySchedule: readonly number[]
  readonly simulatorDelayMs: number
  /** The sender of messages that name none. */
  readonly defaultSender: string
  /** The languages whose shift tables messages may be written with. */
  readonly nationalLanguages: readonly NationalLanguage[]
  /** Words that opt out, and in again, besides the English ones. */
  readonly optOutWords: readonly string[]
  readonly optInWords: readonly string[]
  /** Origins (RFC 6454) that browsers may call from; `['*']` stands for every origin. */
  readonly corsOrigins: readonly string[]
  /** Requests a second that a key may make; 0 for no limit. */
  readonly rateLimit: number
  /** Requests that a key may make at once after a rest. */
  readonly rateLimitBurst: number
  /** The least that is logged. */
  readonly log: LogLevel
  /** The path of the configuration file that was read; null where there was none. */
  readonly config: string | null
  /** The collections that the configuration file declares, not yet checked. */
  readonly declarations: readonly unknown[]
  /** The versions that the configuration file declares, not yet checked. */
  readonly versions: readonly unknown[]
  /** The carriers that the configuration file declares, not yet checked. */
  readonly carriers: readonly unknown[]
}

/** The names of the settings. */
export type SettingName = Exclude<keyof Config, 'declarations' | 'versions' | 'carriers'>
