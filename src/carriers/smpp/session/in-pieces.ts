import { frames } from '../pdus/frames.ts'

/** Octets that are read at a time: a full gate stops the next ones. */
const pieceOctets = 4096

/** The reading of octets in pieces. */
export interface PieceEvents {
  onPdu(pdu: Buffer): unknown
  /** The rest cannot be parsed. */
  onInvalid(): void
  mayRead(): boolean
}

/** Octets that are read in pieces. */
export interface Pieces {
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
