import type { OpenIdProvider } from '../core/declaration/open-id.ts'
import type { SettingValues } from './setting.ts'
import type { settings } from './settings.ts'

/** The values of the settings, before defaults that depend on other settings. */
type Values = SettingValues<typeof settings>

/** The settings whose default depends on other settings. */
interface Dependent {
  /** Networks in CIDR notation (RFC 4632, RFC 4291) that webhooks may reach besides public ones. */
  readonly webhookNetworks: NonNullable<Values['webhookNetworks']>
  readonly carrierNetworks: NonNullable<Values['carrierNetworks']>
}

/** The configuration as the program uses it: every value parsed and checked. Frozen. */
export interface Config extends Omit<Values, keyof Dependent>, Dependent {
  /** The collections that the configuration file declares, not yet checked. */
  readonly declarations: readonly unknown[]
  /** The versions that the configuration file declares, not yet checked. */
  readonly versions: readonly unknown[]
  /** The carriers that the configuration file declares, not yet checked. */
  readonly carriers: readonly unknown[]
  /** The OpenID provider at which people sign in; null: there is none. */
  readonly oidc: OpenIdProvider | null
}

/** The names of the settings. */
export type SettingName = keyof Values
