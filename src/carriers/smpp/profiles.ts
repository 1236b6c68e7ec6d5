import type { ValueOf } from '../../core/declaration/field.ts'
import type { messageFields } from './message-settings.ts'

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
