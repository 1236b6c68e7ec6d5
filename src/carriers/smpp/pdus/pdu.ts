/** The form of a parameter: one octet, octets ended by a NUL, or octets that one octet counts. */
export type PduForm = 'int8' | 'cstring' | 'octets'

/** The parameters of a body in their order on the wire, by their names in SMPP 3.4. */
export type Layout = readonly (readonly [name: string, form: PduForm])[]

type ValueOf<F extends PduForm> = F extends 'int8'
  ? number
  : F extends 'cstring'
    ? string
    : Uint8Array

type BodyOf<L extends Layout> = {
  readonly [E in L[number] as E[0]]: ValueOf<E[1]>
}

const bind = [
  ['system_id', 'cstring'],
  ['password', 'cstring'],
  ['system_type', 'cstring'],
  ['interface_version', 'int8'],
  ['addr_ton', 'int8'],
  ['addr_npi', 'int8'],
  ['address_range', 'cstring'],
] as const

const systemId = [['system_id', 'cstring']] as const
const messageId = [['message_id', 'cstring']] as const

const addresses = [
  ['service_type', 'cstring'],
  ['source_addr_ton', 'int8'],
  ['source_addr_npi', 'int8'],
  ['source_addr', 'cstring'],
  ['dest_addr_ton', 'int8'],
  ['dest_addr_npi', 'int8'],
  ['destination_addr', 'cstring'],
  ['esm_class', 'int8'],
] as const

const shortMessage = [
  ...addresses,
  ['protocol_id', 'int8'],
  ['priority_flag', 'int8'],
  ['schedule_delivery_time', 'cstring'],
  ['validity_period', 'cstring'],
  ['registered_delivery', 'int8'],
  ['replace_if_present_flag', 'int8'],
  ['data_coding', 'int8'],
  ['sm_default_msg_id', 'int8'],
  ['short_message', 'octets'],
] as const

const data = [...addresses, ['registered_delivery', 'int8'], ['data_coding', 'int8']] as const

const outbind = [
  ['system_id', 'cstring'],
  ['password', 'cstring'],
] as const

const alert = [
  ['source_addr_ton', 'int8'],
  ['source_addr_npi', 'int8'],
  ['source_addr', 'cstring'],
  ['esme_addr_ton', 'int8'],
  ['esme_addr_npi', 'int8'],
  ['esme_addr', 'cstring'],
] as const

/** The commands of SMPP 3.4 that an ESME or its SMSC sends, section 5.1.2.1, and their bodies, section 4. */
export const commands = {
  generic_nack: { id: 0x80000000, layout: [] },
  bind_receiver: { id: 0x00000001, layout: bind },
  bind_receiver_resp: { id: 0x80000001, layout: systemId },
  bind_transmitter: { id: 0x00000002, layout: bind },
  bind_transmitter_resp: { id: 0x80000002, layout: systemId },
  submit_sm: { id: 0x00000004, layout: shortMessage },
  submit_sm_resp: { id: 0x80000004, layout: messageId },
  deliver_sm: { id: 0x00000005, layout: shortMessage },
  deliver_sm_resp: { id: 0x80000005, layout: messageId },
  unbind: { id: 0x00000006, layout: [] },
  unbind_resp: { id: 0x80000006, layout: [] },
  bind_transceiver: { id: 0x00000009, layout: bind },
  bind_transceiver_resp: { id: 0x80000009, layout: systemId },
  outbind: { id: 0x0000000b, layout: outbind },
  enquire_link: { id: 0x00000015, layout: [] },
  enquire_link_resp: { id: 0x80000015, layout: [] },
  alert_notification: { id: 0x00000102, layout: alert },
  data_sm: { id: 0x00000103, layout: data },
  data_sm_resp: { id: 0x80000103, layout: messageId },
} as const satisfies Record<string, { readonly id: number; readonly layout: Layout }>

/** The name of a command. */
export type PduCommand = keyof typeof commands

/** The optional parameters of a PDU by tag, section 5.3.2: of one that is repeated the first. */
export type Tlvs = ReadonlyMap<number, Uint8Array>

/** The body of a command. */
export type Body<C extends PduCommand> = BodyOf<(typeof commands)[C]['layout']>

/** A protocol data unit, section 3.2. */
export type PduOf<C extends PduCommand> = {
  readonly [K in C]: {
    readonly command: K
    /** `command_status`: 0 in a request, and in an answer to one that was taken. */
    readonly status: number
    /** `sequence_number`. */
    readonly sequence: number
    readonly body: Body<K>
    readonly tlvs: Tlvs
  }
}[C]

/** Any PDU. */
export type Pdu = PduOf<PduCommand>

/** The octets of the header, which every PDU begins with. */
export const headerOctets = 16

/** The most octets of a PDU that is read: the longest message_payload, and as much again in kilobytes for the rest. */
export const pduOctetsMax = 128 * 1024

/** The tags of the optional parameters that are used here, section 5.3.2. */
export const tags = {
  receiptedMessageId: 0x001e,
  sarReference: 0x020c,
  sarTotal: 0x020e,
  sarPart: 0x020f,
  networkErrorCode: 0x0423,
  messagePayload: 0x0424,
  messageState: 0x0427,
} as const

/** The values of `command_status` that are sent or looked for by name, SMPP 3.4 section 5.1.3. */
export const statuses = {
  ESME_ROK: 0x00,
  ESME_RINVMSGLEN: 0x01,
  ESME_RINVCMDLEN: 0x02,
  ESME_RINVCMDID: 0x03,
  ESME_RINVBNDSTS: 0x04,
  ESME_RALYBND: 0x05,
  ESME_RINVPRTFLG: 0x06,
  ESME_RINVREGDLVFLG: 0x07,
  ESME_RSYSERR: 0x08,
  ESME_RINVSRCADR: 0x0a,
  ESME_RINVDSTADR: 0x0b,
  ESME_RINVMSGID: 0x0c,
  ESME_RBINDFAIL: 0x0d,
  ESME_RINVPASWD: 0x0e,
  ESME_RINVSYSID: 0x0f,
  ESME_RCANCELFAIL: 0x11,
  ESME_RREPLACEFAIL: 0x13,
  ESME_RMSGQFUL: 0x14,
  ESME_RINVSERTYP: 0x15,
  ESME_RINVNUMDESTS: 0x33,
  ESME_RINVDLNAME: 0x34,
  ESME_RINVDESTFLAG: 0x40,
  ESME_RINVSUBREP: 0x42,
  ESME_RINVESMCLASS: 0x43,
  ESME_RCNTSUBDL: 0x44,
  ESME_RSUBMITFAIL: 0x45,
  ESME_RINVSRCTON: 0x48,
  ESME_RINVSRCNPI: 0x49,
  ESME_RINVDSTTON: 0x50,
  ESME_RINVDSTNPI: 0x51,
  ESME_RINVSYSTYP: 0x53,
  ESME_RINVREPFLAG: 0x54,
  ESME_RINVNUMMSGS: 0x55,
  ESME_RTHROTTLED: 0x58,
  ESME_RINVSCHED: 0x61,
  ESME_RINVEXPIRY: 0x62,
  ESME_RINVDFTMSGID: 0x63,
  ESME_RX_T_APPN: 0x64,
  ESME_RX_P_APPN: 0x65,
  ESME_RX_R_APPN: 0x66,
  ESME_RQUERYFAIL: 0x67,
  ESME_RINVOPTPARSTREAM: 0xc0,
  ESME_ROPTPARNOTALLWD: 0xc1,
  ESME_RINVPARLEN: 0xc2,
  ESME_RMISSINGOPTPARAM: 0xc3,
  ESME_RINVOPTPARAMVAL: 0xc4,
  ESME_RDELIVERYFAILURE: 0xfe,
  ESME_RUNKNOWNERR: 0xff,
} as const

/** Returns the SMPP name of a `command_status`, or its number in hex if it has none. */
export function statusName(status: number): string {
  return names.get(status) ?? `0x${status.toString(16).padStart(8, '0')}`
}

const names = new Map<number, string>(
  Object.entries(statuses).map(([name, status]) => [status, name]),
)

/** The status of an answer in words for a log and for `lastError`. */
export function statusText(status: number): string {
  return `the SMSC answered ${statusName(status)}`
}
