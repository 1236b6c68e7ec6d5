import {
  array,
  boolean,
  choice,
  integer,
  object,
  text,
  type ValueOf,
} from '../../core/declaration/field.ts'
import { declaredMeanings } from './pdus/submit-status.ts'

const ton = (whose: string) =>
  integer({
    minimum: 0,
    maximum: 7,
    nullable: true,
    description: `\`${whose}_addr_ton\`; null: by the form of the address.`,
  })

const npi = (whose: string) =>
  integer({
    minimum: 0,
    maximum: 18,
    nullable: true,
    description: `\`${whose}_addr_npi\`; null: by the form of the address.`,
  })

/** Settings of an SMPP carrier. */
export const smppFields = {
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
  longMessages: choice(['UDH8', 'UDH16', 'SAR', 'PAYLOAD'], {
    default: 'UDH8',
    description:
      'Concatenation: a header with an 8-bit or 16-bit reference, the `sar_…` TLVs, or one ' +
      '`message_payload`.',
  }),
  receiptIds: choice(['AS_IS', 'HEX_TO_DECIMAL', 'DECIMAL_TO_HEX'], {
    default: 'AS_IS',
    description: 'Conversion of identifiers in delivery receipts to those of `submit_sm_resp`.',
  }),
  receipts: choice(['ALL', 'FAILED', 'NONE'], {
    default: 'ALL',
    description: 'Delivery receipts requested by `registered_delivery`.',
  }),
  serviceType: text({ default: '', maxLength: 5, description: '`service_type` of each message.' }),
  sourceTon: ton('source'),
  sourceNpi: npi('source'),
  destinationTon: ton('dest'),
  destinationNpi: npi('dest'),
  defaultCharset: choice(['GSM', 'ASCII', 'LATIN1'], {
    default: 'GSM',
    description: 'Charset of incoming messages with `data_coding` 0.',
  }),
  tlvs: array(
    object({
      tag: text({ required: true, pattern: '^0x[0-9A-Fa-f]{4}$' }),
      value: text({ required: true, pattern: '^([0-9A-Fa-f]{2})*$', maxLength: 510 }),
    }),
    {
      maxItems: 16,
      nullable: true,
      description: 'Optional parameters of each message: tag and value in hex.',
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

/** The settings of an SMPP carrier, defaults filled in. */
export type SmppSettings = {
  readonly [K in keyof typeof smppFields]: ValueOf<(typeof smppFields)[K]>
}
