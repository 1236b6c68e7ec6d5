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
    description: `\`${whose}_addr_ton\`. Where none is given, by the form of the address.`,
  })

const npi = (whose: string) =>
  integer({
    minimum: 0,
    maximum: 18,
    nullable: true,
    description: `\`${whose}_addr_npi\`. Where none is given, by the form of the address.`,
  })

/** Settings of an SMPP carrier. */
export const smppFields = {
  host: text({ required: true, minLength: 1, maxLength: 255, description: 'Where the SMSC is.' }),
  port: integer({ minimum: 1, maximum: 65_535, default: 2775, description: 'Its port.' }),
  tls: boolean({ default: false, description: 'Whether the connection is encrypted.' }),
  tlsAuthority: text({
    nullable: true,
    maxLength: 20_000,
    description:
      'Certificates in PEM of those who vouch for the SMSC. Where none is given, those the machine trusts.',
  }),
  systemId: text({ required: true, minLength: 1, maxLength: 63, description: 'Who we are.' }),
  password: text({
    writeOnly: true,
    nullable: true,
    maxLength: 63,
    description: 'The password; never shown again.',
  }),
  systemType: text({ default: '', maxLength: 12, description: '`system_type` of the bind.' }),
  addressRange: text({ default: '', maxLength: 40, description: '`address_range` of the bind.' }),
  bind: choice(['TRANSCEIVER', 'SEPARATE'], {
    default: 'TRANSCEIVER',
    description: '`SEPARATE` binds a transmitter and a receiver instead of a transceiver.',
  }),
  binds: integer({ minimum: 1, maximum: 32, default: 1, description: 'How many such binds.' }),
  window: integer({
    minimum: 1,
    maximum: 1000,
    default: 10,
    description: 'The most parts that wait for an answer, for each bind.',
  }),
  partsPerSecond: integer({
    minimum: 1,
    maximum: 100_000,
    nullable: true,
    description: 'The most parts a second over all binds; null: as many as the SMSC takes.',
  }),
  enquireLinkMs: integer({
    minimum: 1000,
    maximum: 600_000,
    default: 30_000,
    description: 'How long a bind may be silent until it is tested with `enquire_link`.',
  }),
  responseTimeoutMs: integer({
    minimum: 1000,
    maximum: 40_000,
    default: 20_000,
    description: 'How long an answer of the SMSC may take.',
  }),
  longMessages: choice(['UDH8', 'UDH16', 'SAR', 'PAYLOAD'], {
    default: 'UDH8',
    description:
      'How several parts are told to be one message: by a header with a reference of 8 or 16 bits, ' +
      'by the `sar_…` TLVs, or in one piece as `message_payload`.',
  }),
  receiptIds: choice(['AS_IS', 'HEX_TO_DECIMAL', 'DECIMAL_TO_HEX'], {
    default: 'AS_IS',
    description:
      'How identifiers in receipts are turned into those of `submit_sm_resp`, where they are written otherwise.',
  }),
  receipts: choice(['ALL', 'FAILED', 'NONE'], {
    default: 'ALL',
    description: 'Which receipts are asked for with `registered_delivery`.',
  }),
  serviceType: text({ default: '', maxLength: 5, description: '`service_type` of each message.' }),
  sourceTon: ton('source'),
  sourceNpi: npi('source'),
  destinationTon: ton('dest'),
  destinationNpi: npi('dest'),
  defaultCharset: choice(['GSM', 'ASCII', 'LATIN1'], {
    default: 'GSM',
    description: 'What the octets of incoming messages with `data_coding` 0 mean.',
  }),
  tlvs: array(
    object({
      tag: text({ required: true, pattern: '^0x[0-9A-Fa-f]{4}$' }),
      value: text({ required: true, pattern: '^([0-9A-Fa-f]{2})*$', maxLength: 510 }),
    }),
    {
      maxItems: 16,
      nullable: true,
      description: 'Optional parameters that go with each message: tag and value in hex.',
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
      description: 'What a `command_status` of this SMSC means, where it is not the usual.',
    },
  ),
} as const

/** The settings of an SMPP carrier, defaults filled in. */
export type SmppSettings = {
  readonly [K in keyof typeof smppFields]: ValueOf<(typeof smppFields)[K]>
}
