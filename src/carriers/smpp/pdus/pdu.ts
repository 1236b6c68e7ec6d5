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
