import { commands, headerOctets, type Layout, type Pdu } from './pdu.ts'

/**
 * Writes a PDU. Throws a RangeError where a value does not fit its form: a number over 255, a text
 * with a NUL or beyond Latin-1, over 255 octets of a message, over 65,535 of an optional parameter.
 */
export function encodePdu({ command, status, sequence, body, tlvs }: Pdu): Buffer {
  const { id, layout } = commands[command]
  // Without a body where the answer is a refusal (section 4.4.2); a refused bind has none either.
  const hasBody = status === 0
  const values: Readonly<Record<string, number | string | Uint8Array>> = body
  let octets = headerOctets
  if (hasBody) octets += sizeOf(layout, values)
  for (const value of tlvs.values()) octets += tlvOctets + value.length

  const pdu = Buffer.allocUnsafe(octets)
  pdu.writeUInt32BE(octets, 0)
  pdu.writeUInt32BE(id, 4)
  pdu.writeUInt32BE(status, 8)
  pdu.writeUInt32BE(sequence, 12)
  let offset = headerOctets
  if (hasBody) {
    for (const [name] of layout) offset = write(pdu, offset, name, values[name])
  }
  for (const [tag, value] of tlvs) {
    pdu.writeUInt16BE(tag, offset)
    pdu.writeUInt16BE(value.length, offset + 2)
    pdu.set(value, offset + tlvOctets)
    offset += tlvOctets + value.length
  }
  return pdu
}

/** Tag and length. */
const tlvOctets = 4

function sizeOf(
  layout: Layout,
  values: Readonly<Record<string, number | string | Uint8Array>>,
): number {
  let octets = 0
  for (const [name] of layout) {
    const value = values[name]
    octets += typeof value === 'number' || value === undefined ? 1 : value.length + 1
  }
  return octets
}

function write(
  pdu: Buffer,
  offset: number,
  name: string,
  value: number | string | Uint8Array | undefined,
): number {
  if (typeof value === 'number') return pdu.writeUInt8(value, offset)
  if (typeof value === 'string') {
    if (!isLatin1(value)) throw new RangeError(`${name} has a character that SMPP cannot carry`)
    pdu.write(value, offset, 'latin1')
    pdu[offset + value.length] = 0
    return offset + value.length + 1
  }
  if (value === undefined) throw new RangeError(`${name} is missing`)
  pdu.writeUInt8(value.length, offset)
  pdu.set(value, offset + 1)
  return offset + value.length + 1
}

/** Returns true if each character is one octet and none is the NUL that ends a text. */
function isLatin1(value: string): boolean {
  for (let index = 0; index < value.length; index += 1) {
    const unit = value.charCodeAt(index)
    if (unit === 0 || unit > 0xff) return false
  }
  return true
}
