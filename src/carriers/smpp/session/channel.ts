import { inPieces } from '../pdus/frames.ts'
import type { Clock } from '../../../core/ports/clock.ts'
import { decodePdu } from '../pdus/decode-pdu.ts'
import { encodePdu } from '../pdus/encode-pdu.ts'
import type { Connect, SmscAddress, SmppConnection } from './network.ts'
import { commands, type Body, type Pdu, type PduCommand, type Tlvs } from '../pdus/pdu.ts'
import { statuses } from '../pdus/statuses.ts'

/** Events of a channel. `onEnd` comes once and last. */
export interface ChannelEvents {
  onOpen(): void
  onPdu(pdu: Pdu): void
  /** A PDU that could not be read; it was answered as the standard asks. */
  onFault(fault: string): void
  onEnd(reason: string): void
}

/** PDUs over a connection. */
export interface Channel {
  readonly gate: DeliveryGate
  /** When octets last came, on the monotonic clock. */
  readonly heardAtMs: number
  /** Sends a request. */
  request<C extends PduCommand>(
    command: C,
    sequence: number,
    body: Body<NoInfer<C>>,
    tlvs?: Tlvs,
  ): void
  /** Sends a request that is written already, but for its sequence number. */
  requestWritten(pdu: Buffer, sequence: number): void
  /** Sends an answer. */
  answer<C extends PduCommand>(
    command: C,
    sequence: number,
    status: number,
    body: Body<NoInfer<C>>,
  ): void
  end(reason: string): void
}

/** Opens a channel. */
export function openChannel(
  target: SmscAddress,
  connect: Connect,
  clock: Clock,
  events: ChannelEvents,
): Channel {
  let open = true
  let heardAtMs = clock.monotonic()

  const end = (reason: string): void => {
    if (!open) return
    open = false
    connection.destroy()
    events.onEnd(reason)
  }
  const onInvalid = (): void => {
    channel.answer('generic_nack', 0, statuses.ESME_RINVCMDLEN, {})
    end('the SMSC sent a PDU of an impossible length')
  }
  const incoming = inPieces({
    onPdu: (pdu) => open && read(pdu, channel, events),
    onInvalid,
    mayRead: () => open && !gate.isShut,
  })
  const take = (octets: Buffer): void => {
    heardAtMs = clock.monotonic()
    incoming.add(octets)
  }
  const connection = connect(target, {
    onOpen: () => open && events.onOpen(),
    onOctets: take,
    onRoom: () => gate.onRoom(),
    onEnd: end,
  })
  const gate = deliveryGate(connection, incoming.readOn)
  const write = (octets: Buffer): void => {
    if (open && !connection.write(octets)) gate.onFull()
  }

  const channel: Channel = {
    gate,
    get heardAtMs() {
      return heardAtMs
    },
    ...writing(write),
    end,
  }
  return channel
}

/** Writes PDUs. */
function writing(
  write: (octets: Buffer) => void,
): Pick<Channel, 'request' | 'requestWritten' | 'answer'> {
  const send = (pdu: Pdu): void => write(encodePdu(pdu))
  return {
    request: (command, sequence, body, tlvs = noTlvs) =>
      send({ command, status: 0, sequence, body, tlvs } as Pdu),
    requestWritten: (pdu, sequence) => {
      pdu.writeUInt32BE(sequence, sequenceOffset)
      write(pdu)
    },
    answer: (command, sequence, status, body) =>
      send({ command, status, sequence, body, tlvs: noTlvs } as Pdu),
  }
}

/** Offset of the sequence number in the header, section 3.2. */
const sequenceOffset = 12

const noTlvs: Tlvs = new Map()

/** Hands a PDU on. A delivery that cannot be read would not be better the next time: it is refused for good. */
function read(octets: Buffer, channel: Channel, events: ChannelEvents): void {
  const decoded = decodePdu(octets)
  if (decoded.ok) return events.onPdu(decoded.pdu)
  const { command, sequence, fault } = decoded
  events.onFault(fault)
  const isRequest = octets.readInt32BE(4) >= 0
  if (!isRequest) return
  if (command === 'deliver_sm' || command === 'data_sm') {
    channel.answer(`${command}_resp`, sequence, statuses.ESME_RX_P_APPN, { message_id: '' })
  } else {
    const status = command === null ? statuses.ESME_RINVCMDID : statuses.ESME_RINVMSGLEN
    channel.answer('generic_nack', sequence, status, {})
  }
}

/** Returns true if a command is a response. */
export function isAnswer(command: PduCommand): boolean {
  return commands[command].id >= 0x80000000
}

/**
 * Stops reading from an SMSC that sends more than is answered, or does not read responses. This
 * bounds the memory of a link; the SMSC stores the rest.
 */
export interface DeliveryGate {
  /** True while reading is paused. */
  readonly isShut: boolean
  /** Something came that will be answered. */
  enter(): void
  /** It was answered. */
  leave(): void
  /** Too much waits to be sent. */
  onFull(): void
  /** It was sent. */
  onRoom(): void
}

/**
 * The most deliveries of a link that wait to be durable: one commit of them. A larger one would occupy the process
 * while other clients wait.
 */
const deliveriesMax = 100

/** Makes the gate of a connection. `onOpen` is called when it is open again. */
export function deliveryGate(connection: SmppConnection, onOpen: () => void): DeliveryGate {
  let inside = 0
  let full = false
  let shut = false

  const turn = (): void => {
    const wanted = full || inside >= deliveriesMax || (shut && inside > deliveriesMax / 2)
    if (wanted === shut) return
    shut = wanted
    if (shut) return connection.pause()
    connection.resume()
    onOpen()
  }

  return {
    get isShut() {
      return shut
    },
    enter: () => {
      inside += 1
      turn()
    },
    leave: () => {
      inside -= 1
      turn()
    },
    onFull: () => {
      full = true
      turn()
    },
    onRoom: () => {
      full = false
      turn()
    },
  }
}
