import {
  commands,
  headerOctets,
  type Layout,
  type Pdu,
  type PduCommand,
  type PduForm,
  type Tlvs,
} from './pdu.ts'

/**
 * Writes a PDU. Throws a RangeError where a value does not fit its form: a number over 255, a text
 * with a NUL or beyond Latin-1, over 255 octets of a message, over 65,535 of an optional parameter.
 */
export function encodePdu({ command, status, sequence, body, tlvs }: Pdu): Buffer {
  const { id, layout } = commands[command]
  // Without a body where the answer is a refusal (section 4.4.2); a refused bind has none either.
  const hasBody = status === 0
  const values: Readonly<Record<string, PduValue>> = body
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

/** The value of a parameter, by its form. */
type PduValue = number | string | Uint8Array

/** Tag and length. */
const tlvOctets = 4

function sizeOf(layout: Layout, values: Readonly<Record<string, PduValue>>): number {
  let octets = 0
  for (const [name] of layout) {
    const value = values[name]
    octets += typeof value === 'number' || value === undefined ? 1 : value.length + 1
  }
  return octets
}

function write(pdu: Buffer, offset: number, name: string, value: PduValue | undefined): number {
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

/** Result of decoding a PDU. */
export type Decoded =
  | { readonly ok: true; readonly pdu: Pdu }
  | {
      readonly ok: false
      /** The command if it is known: then its body is invalid. */
      readonly command: PduCommand | null
      readonly sequence: number
      readonly fault: string
    }

/**
 * Reads a PDU from exactly its octets, at least 16. Never reads beyond them and never throws. Texts
 * are taken as Latin-1, so that different octets are different texts. An answer may end early, since
 * SMSCs leave out what they have nothing to say in; a request may not.
 */
export function decodePdu(octets: Buffer): Decoded {
  const id = octets.readUInt32BE(4)
  const status = octets.readUInt32BE(8)
  const sequence = octets.readUInt32BE(12)
  const command = commandsById.get(id)
  if (command === undefined) {
    return { ok: false, command: null, sequence, fault: `unknown command 0x${id.toString(16)}` }
  }

  const { layout } = commands[command]
  const isAnswer = id >= 0x80000000
  const read = readBody(octets, layout, isAnswer)
  if (read === null) return { ok: false, command, sequence, fault: 'its body ends early' }
  const tlvs = readTlvs(octets, read.offset)
  if (tlvs === null) {
    if (!isAnswer) {
      return { ok: false, command, sequence, fault: 'an optional parameter goes beyond its end' }
    }
  }
  const { body } = read
  return { ok: true, pdu: { command, status, sequence, body, tlvs: tlvs ?? noTlvs } as Pdu }
}

const commandsById = new Map<number, PduCommand>(
  Object.entries(commands).map(([command, { id }]) => [id, command as PduCommand]),
)

const noTlvs: Tlvs = new Map()

interface Read {
  readonly body: Record<string, PduValue>
  readonly offset: number
}

/** Returns null if the body ends inside a parameter, or before the last one without permission. */
function readBody(octets: Buffer, layout: Layout, mayEndEarly: boolean): Read | null {
  const body: Record<string, PduValue> = {}
  let offset = headerOctets
  for (const [name, form] of layout) {
    const end = endOf(octets, offset, form)
    if (end === null) {
      if (!mayEndEarly) return null
      // Accept a text without its NUL.
      body[name] = form === 'cstring' ? octets.toString('latin1', offset) : empty[form]
      offset = octets.length
    } else {
      body[name] = valueAt(octets, offset, end, form)
      offset = end
    }
  }
  return { body, offset }
}

const empty = { int8: 0, cstring: '', octets: new Uint8Array(0) } as const

/** Returns the end of the parameter at an offset; null if it lies after the last octet. */
function endOf(octets: Buffer, offset: number, form: PduForm): number | null {
  if (form === 'cstring') {
    const nul = octets.indexOf(0, offset)
    return nul === -1 ? null : nul + 1
  }
  const length = octets[offset]
  if (length === undefined) return null
  const end = form === 'int8' ? offset + 1 : offset + 1 + length
  return end <= octets.length ? end : null
}

function valueAt(octets: Buffer, offset: number, end: number, form: PduForm): PduValue {
  if (form === 'int8') return octets[offset] ?? 0
  return form === 'cstring'
    ? octets.toString('latin1', offset, end - 1)
    : octets.subarray(offset + 1, end)
}

function readTlvs(octets: Buffer, start: number): Tlvs | null {
  if (start === octets.length) return noTlvs
  const tlvs = new Map<number, Uint8Array>()
  let offset = start
  while (offset < octets.length) {
    if (offset + 4 > octets.length) return null
    const tag = octets.readUInt16BE(offset)
    const end = offset + 4 + octets.readUInt16BE(offset + 2)
    if (end > octets.length) return null
    if (!tlvs.has(tag)) tlvs.set(tag, octets.subarray(offset + 4, end))
    offset = end
  }
  return tlvs
}
