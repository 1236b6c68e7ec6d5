import { headerOctets, pduOctetsMax } from './pdu.ts'

/** Cuts a stream of octets into PDUs. */
export interface Frames {
  /**
   * Takes the next octets and hands on each PDU that they complete. False when the stream cannot be
   * followed any more, since a length in it is none: nothing that comes after it makes sense.
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
        // What is held is completed first, the rest of the octets is not copied.
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

/** Tells whether a `command_length` is one: no shorter than the header, no longer than any PDU. */
function isLength(length: number): boolean {
  return length >= headerOctets && length <= pduOctetsMax
}
