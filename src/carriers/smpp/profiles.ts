import {
  array,
  boolean,
  choice,
  integer,
  object,
  text,
  type Fields,
  type ValueOf,
} from '../../core/declaration/field.ts'

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

/** Settings of an SMPP carrier that a profile can have: how messages and receipts are written. */
export const messageFields = {
  serviceType: text({
    nullable: true,
    maxLength: 5,
    description: '`service_type` of each message; null: empty.',
  }),
  longMessages: choice(['UDH8', 'UDH16', 'SAR', 'PAYLOAD'], {
    nullable: true,
    description:
      'Concatenation: a header with an 8-bit or 16-bit reference, the `sar_…` TLVs, or one ' +
      '`message_payload`; null: `UDH8`.',
  }),
  receiptIds: choice(['AS_IS', 'HEX_TO_DECIMAL', 'DECIMAL_TO_HEX'], {
    nullable: true,
    description:
      'Conversion of identifiers in delivery receipts to those of `submit_sm_resp`; null: `AS_IS`.',
  }),
  outgoingCharset: choice(['GSM', 'GSM_PACKED', 'LATIN1', 'ASCII'], {
    nullable: true,
    description:
      'Charset of outgoing `TEXT` messages: GSM 03.38 with a septet per octet, or packed, ' +
      'ISO 8859-1, or ASCII. Texts with other characters are sent as `UNICODE`; null: `GSM`.',
  }),
  defaultCharset: choice(['GSM', 'ASCII', 'LATIN1'], {
    nullable: true,
    description: 'Charset of incoming messages with `data_coding` 0; null: `GSM`.',
  }),
  dataCodings: array(
    object({
      encoding: choice(['TEXT', 'UNICODE', 'BINARY'], { required: true }),
      messageClass: integer({ minimum: 0, maximum: 3, nullable: true }),
      dataCoding: integer({ minimum: 0, maximum: 255, required: true }),
    }),
    {
      maxItems: 12,
      nullable: true,
      description:
        '`data_coding` by encoding and class, the first that fits; without a class for each. ' +
        'Others: 0, 8 and 4, with class 0, 2 or 3 the values of 3GPP TS 23.038.',
    },
  ),
  validityPeriod: choice(['ABSOLUTE', 'RELATIVE', 'ABSENT'], {
    nullable: true,
    description: 'Form of `validity_period`. A relative one has at most 99 days; null: `ABSOLUTE`.',
  }),
  priorityFlags: array(integer({ minimum: 0, maximum: 4 }), {
    minItems: 4,
    maxItems: 4,
    nullable: true,
    description: '`priority_flag` of the priorities 0, 1, 2 and 3; null: 0 for each.',
  }),
  sourceRewrites: array(
    object({
      pattern: text({ required: true, minLength: 1, maxLength: 200 }),
      replacement: text({ required: true, minLength: 1, maxLength: 60 }),
      ton: integer({ minimum: 0, maximum: 7, nullable: true }),
      npi: integer({ minimum: 0, maximum: 18, nullable: true }),
    }),
    {
      maxItems: 20,
      nullable: true,
      description:
        'Changes of the sender: if `pattern` fits, `replacement` is sent, with groups as `$1` and ' +
        'a `+` as written, and with `ton` and `npi` unless null. The first that fits counts.',
    },
  ),
  destinationPlus: boolean({
    nullable: true,
    description: 'Whether `destination_addr` has the `+` of E.164; null: false.',
  }),
  sourceTon: ton('source'),
  sourceNpi: npi('source'),
  destinationTon: ton('dest'),
  destinationNpi: npi('dest'),
} as const satisfies Fields

type Declared = { readonly [K in keyof typeof messageFields]: ValueOf<(typeof messageFields)[K]> }

/** Settings that are never null: the standard has a value. */
type Standard = {
  readonly [
    K in
      | 'serviceType'
      | 'longMessages'
      | 'receiptIds'
      | 'outgoingCharset'
      | 'defaultCharset'
      | 'validityPeriod'
      | 'destinationPlus'
  ]: NonNullable<Declared[K]>
}

/** Settings that a profile can have. */
export type ProfileSettings = Standard & Omit<Declared, keyof Standard>

/** The values that neither the carrier nor its profile has. */
export const standard: Standard = {
  serviceType: '',
  longMessages: 'UDH8',
  receiptIds: 'AS_IS',
  outgoingCharset: 'GSM',
  defaultCharset: 'GSM',
  validityPeriod: 'ABSOLUTE',
  destinationPlus: false,
}

/** A known message centre. */
interface Profile {
  /** The public description that the values were taken from. */
  readonly source: string
  readonly settings: Partial<ProfileSettings>
}

/** Names of the profiles. */
export const profileNames = [
  'NVIA',
  'OPENMARKET',
  'SINCH',
  'SMSPORTAL',
  'VIBES',
  'VIBES_GSM',
] as const

const noTypes = { destinationTon: 0, destinationNpi: 0 }

const vibesSource = 'https://developer-aggregation.vibes.com/reference/encoding-message-settings'

const vibes: Partial<ProfileSettings> = {
  ...noTypes,
  longMessages: 'PAYLOAD',
  validityPeriod: 'ABSENT',
  sourceRewrites: [{ pattern: '^[+]?([0-9]+)$', replacement: '$1', ton: 0, npi: 0 }],
  destinationPlus: true,
}

/** The known message centres, with the values in which they differ from the standard. */
export const profiles: Readonly<Record<(typeof profileNames)[number], Profile>> = {
  NVIA: {
    source:
      'https://developer.nvia.com/1.-sending-sms-mt/1.1-interfaces/1.1.4-smpp-interface/about-the-smpp-interface',
    settings: {
      defaultCharset: 'LATIN1',
      dataCodings: [
        { encoding: 'TEXT', messageClass: null, dataCoding: 1 },
        { encoding: 'UNICODE', messageClass: null, dataCoding: 8 },
      ],
      priorityFlags: [0, 1, 2, 3],
    },
  },
  OPENMARKET: {
    source: 'https://openmarket.com/docs/Content/apis/v4smpp/mt.htm',
    settings: { serviceType: 'OMV4' },
  },
  SINCH: {
    source: 'https://developers.sinch.com/docs/sms/smpp/send-message',
    settings: {
      sourceRewrites: [{ pattern: '^([0-9]+)$', replacement: '$1', ton: 0, npi: 1 }],
    },
  },
  SMSPORTAL: {
    source: 'https://docs.smsportal.com/docs/smpp-usage',
    settings: {
      ...noTypes,
      sourceTon: 0,
      sourceNpi: 0,
      dataCodings: [
        { encoding: 'TEXT', messageClass: null, dataCoding: 0 },
        { encoding: 'UNICODE', messageClass: null, dataCoding: 8 },
      ],
    },
  },
  VIBES: {
    source: vibesSource,
    settings: { ...vibes, outgoingCharset: 'ASCII', defaultCharset: 'ASCII' },
  },
  VIBES_GSM: { source: vibesSource, settings: vibes },
}
