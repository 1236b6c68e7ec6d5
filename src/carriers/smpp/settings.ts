import {
  array,
  boolean,
  choice,
  integer,
  object,
  text,
  type ValueOf,
} from '../../core/declaration/field.ts'
import {
  messageFields,
  profileNames,
  profiles,
  standard,
  type ProfileSettings,
} from './profiles.ts'

/** Meanings that an operator can assign to a provider's private codes. */
const declaredMeanings = ['REJECTED', 'UNDELIVERABLE', 'BLOCKED', 'RETRY', 'THROTTLED'] as const

/** A meaning as an operator declares it. */
export type DeclaredMeaning = (typeof declaredMeanings)[number]

/** Settings of an SMPP carrier. */
export const smppFields = {
  profile: choice(profileNames, {
    nullable: true,
    description: 'A known message centre, whose values replace null in the settings below.',
  }),
  host: text({ required: true, minLength: 1, maxLength: 255, description: 'Host of the SMSC.' }),
  port: integer({ minimum: 1, maximum: 65_535, default: 2775, description: 'Port of the SMSC.' }),
  tls: boolean({ default: false, description: 'Whether the connection is encrypted.' }),
  tlsAuthority: text({
    nullable: true,
    maxLength: 20_000,
    description: 'Certificate authorities of the SMSC in PEM; null: those of the machine.',
  }),
  systemId: text({
    required: true,
    minLength: 1,
    maxLength: 63,
    description: '`system_id` of the bind.',
  }),
  password: text({
    writeOnly: true,
    nullable: true,
    maxLength: 63,
    description: 'Password; never in responses.',
  }),
  systemType: text({ default: '', maxLength: 12, description: '`system_type` of the bind.' }),
  addressRange: text({ default: '', maxLength: 40, description: '`address_range` of the bind.' }),
  bind: choice(['TRANSCEIVER', 'SEPARATE', 'TRANSMITTER', 'RECEIVER'], {
    default: 'TRANSCEIVER',
    description:
      '`SEPARATE` binds a transmitter and a receiver. `TRANSMITTER` only sends, `RECEIVER` only receives.',
  }),
  binds: integer({ minimum: 1, maximum: 32, default: 1, description: 'Number of binds.' }),
  window: integer({
    minimum: 1,
    maximum: 1000,
    default: 10,
    description: 'Maximum unacknowledged parts per bind.',
  }),
  partsPerSecond: integer({
    minimum: 1,
    maximum: 100_000,
    nullable: true,
    description: 'Maximum parts per second of all binds; null: no limit.',
  }),
  enquireLinkMs: integer({
    minimum: 1000,
    maximum: 600_000,
    default: 30_000,
    description: 'Silence after which a bind is tested with `enquire_link`.',
  }),
  responseTimeoutMs: integer({
    minimum: 1000,
    maximum: 40_000,
    default: 20_000,
    description: 'Time limit of a response of the SMSC.',
  }),
  receipts: choice(['ALL', 'FAILED', 'NONE'], {
    default: 'ALL',
    description: 'Delivery receipts requested by `registered_delivery`.',
  }),
  ...messageFields,
  tlvs: array(
    object({
      tag: text({ required: true, pattern: '^0x[0-9A-Fa-f]{4}$', form: 'a tag such as 0x1400' }),
      value: text({
        nullable: true,
        pattern: '^([0-9A-Fa-f]{2})*$',
        maxLength: 510,
        form: 'octets in hex',
      }),
      text: text({ nullable: true, minLength: 1, maxLength: 255 }),
    }),
    {
      maxItems: 16,
      nullable: true,
      description:
        'Optional parameters of each message: `tag` with `value` in hex, or with `text` that has ' +
        'placeholders such as `{{userSuppliedId}}`.',
    },
  ),
  statuses: array(
    object({
      status: text({ required: true, pattern: '^0x[0-9A-Fa-f]{1,8}$' }),
      meaning: choice(declaredMeanings, { required: true }),
    }),
    {
      maxItems: 64,
      nullable: true,
      description: 'Meanings of `command_status` values that differ from the standard.',
    },
  ),
} as const

/** The stored settings of an SMPP carrier. Null means the value of the profile. */
export type DeclaredSmppSettings = {
  readonly [K in keyof typeof smppFields]: ValueOf<(typeof smppFields)[K]>
}

/** The settings of an SMPP carrier, with the values of its profile. */
export type SmppSettings = Omit<DeclaredSmppSettings, keyof ProfileSettings> & ProfileSettings

/** Replaces null by the values of the profile, and these by those of the standard. */
export function withProfile(declared: DeclaredSmppSettings): SmppSettings {
  const profile = declared.profile === null ? {} : profiles[declared.profile].settings
  const given = Object.entries(declared).filter(([, value]) => value !== null)
  return { ...declared, ...standard, ...profile, ...Object.fromEntries(given) }
}
