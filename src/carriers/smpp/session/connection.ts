import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { headerOctets, pduOctetsMax } from '../pdus/pdu.ts'

/** Address of an SMSC. */
export interface SmscAddress {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  /** The certificates, in PEM, of those who may vouch for it; null: those that the machine trusts. */
  readonly tlsAuthority: string | null
}

/** Events of a connection. `onEnd` comes once and last. */
export interface ConnectionEvents {
  onOpen(): void
  onOctets(octets: Buffer): void
  /** The write buffer is empty again after `write` returned false. */
  onRoom(): void
  onEnd(reason: string): void
}

/** A connection to an SMSC. */
export interface SmppConnection {
  /** Sends octets; returns false if the caller should wait for `onRoom`. */
  write(octets: Uint8Array): boolean
  /** Stops reading until `resume`: the other side has to wait. */
  pause(): void
  resume(): void
  /** Closes the connection immediately. */
  destroy(): void
}

/** Opens a connection: the network, passed in. */
export type Connect = (target: SmscAddress, events: ConnectionEvents) => SmppConnection

/** Connects over the machine's network. Writes within one turn of the event loop leave together. */
export const systemConnect: Connect = (target, events) => {
  const socket = socketTo(target)
  // Small PDUs that answer each other must not wait for one another (RFC 896).
  socket.setNoDelay(true)
  socket.setKeepAlive(true, keepAliveMs)
  listen(socket, target.tls ? 'secureConnect' : 'connect', events)

  let corked = false
  return {
    write: (octets) => {
      if (!corked) {
        corked = true
        socket.cork()
        setImmediate(() => {
          corked = false
          socket.uncork()
        })
      }
      return socket.write(octets)
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    destroy: () => {
      // Flush first: the buffer may hold the reason for the end.
      if (corked) socket.uncork()
      socket.destroy()
    },
  }
}

function socketTo({ host, port, tls, tlsAuthority }: SmscAddress): Socket {
  if (!tls) return connectTcp({ host, port })
  const ca = tlsAuthority === null ? {} : { ca: tlsAuthority }
  // An address is not a server name (RFC 6066, section 3); TLS still checks the certificate against
  // it.
  const name = isIP(host) === 0 ? { servername: host } : {}
  // Not imported: it takes 5 MB (docs/decisions/0016), and most carriers are reached without.
  return process.getBuiltinModule('node:tls').connect({ host, port, ...name, ...ca })
}

/** Delay of TCP keep-alive, in milliseconds; enquire_link comes much earlier. */
const keepAliveMs = 60_000

function listen(socket: Socket, opened: string, events: ConnectionEvents): void {
  let reason = 'the SMSC closed the connection'
  socket.once(opened, () => events.onOpen())
  socket.on('data', (octets: Buffer) => events.onOctets(octets))
  socket.on('drain', () => events.onRoom())
  socket.on('error', (error: NodeJS.ErrnoException) => {
    reason = error.code === undefined ? error.message : `${error.code}: ${error.message}`
  })
  socket.once('close', () => events.onEnd(reason))
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

/** Cuts a stream of octets into PDUs. */
export interface Frames {
  /**
   * Takes the next octets and passes on each complete PDU. Returns false after an invalid length:
   * the rest of the stream cannot be parsed.
   */
  take(octets: Buffer, onPdu: (pdu: Buffer) => void): boolean
}

/** Makes an empty one. It holds on to the octets of at most one PDU. */
export function frames(): Frames {
  let held = Buffer.alloc(0)
  let used = 0

  /** Holds more octets. They are copied into a buffer that grows by half, so that single octets cost little. */
  const hold = (octets: Buffer): void => {
    if (used + octets.length > held.length) {
      const grown = Buffer.alloc(Math.max(used + octets.length, Math.ceil(held.length * 1.5)))
      held.copy(grown, 0, 0, used)
      held = grown
    }
    octets.copy(held, used)
    used += octets.length
  }

  return {
    take(octets, onPdu) {
      let rest = octets
      if (used > 0) {
        // Complete the buffered PDU first; the other octets need no copy.
        const missing = (used < 4 ? 4 : held.readUInt32BE(0)) - used
        hold(rest.subarray(0, missing))
        rest = rest.subarray(missing)
        if (used < 4) return true
        const length = held.readUInt32BE(0)
        if (!isLength(length)) return false
        if (used < length) return rest.length === 0 || this.take(rest, onPdu)
        onPdu(held.subarray(0, length))
        held = Buffer.alloc(0)
        used = 0
      }
      let offset = 0
      while (offset + 4 <= rest.length) {
        const length = rest.readUInt32BE(offset)
        if (!isLength(length)) return false
        if (offset + length > rest.length) break
        onPdu(rest.subarray(offset, offset + length))
        offset += length
      }
      if (offset < rest.length) hold(rest.subarray(offset))
      return true
    },
  }
}

/** Returns true for a valid `command_length`: at least a header, at most the largest PDU. */
function isLength(length: number): boolean {
  return length >= headerOctets && length <= pduOctetsMax
}

/** Octets that are read at a time: a full gate stops the next ones. */
const pieceOctets = 4096

/** The reading of octets in pieces. */
interface PieceEvents {
  onPdu(pdu: Buffer): unknown
  /** The rest cannot be parsed. */
  onInvalid(): void
  mayRead(): boolean
}

/** Octets that are read in pieces. */
interface Pieces {
  add(octets: Buffer): void
  /** Reads what is stored, as far as it may. */
  readOn(): void
}

/** Passes on the PDUs of a piece at a time while `mayRead` says so, and stores the other octets. */
export function inPieces({ onPdu, onInvalid, mayRead }: PieceEvents): Pieces {
  const incoming = frames()
  let unread: Buffer = Buffer.alloc(0)
  const readOn = (): void => {
    while (unread.length > 0 && mayRead()) {
      const piece = unread.subarray(0, pieceOctets)
      unread = unread.subarray(pieceOctets)
      if (!incoming.take(piece, onPdu)) onInvalid()
    }
  }
  return {
    readOn,
    add: (octets: Buffer): void => {
      unread = unread.length === 0 ? octets : Buffer.concat([unread, octets])
      readOn()
    },
  }
}
