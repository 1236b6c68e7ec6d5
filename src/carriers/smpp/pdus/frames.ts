import { headerOctets, pduOctetsMax } from './pdu.ts'

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
