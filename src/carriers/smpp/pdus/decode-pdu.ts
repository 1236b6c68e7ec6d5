import {
  commands,
  headerOctets,
  type PduCommand,
  type PduForm,
  type Layout,
  type Pdu,
  type Tlvs,
} from './pdu.ts'

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

type Values = Record<string, number | string | Uint8Array>

interface Read {
  readonly body: Values
  readonly offset: number
}

/** Returns null if the body ends inside a parameter, or before the last one without permission. */
function readBody(octets: Buffer, layout: Layout, mayEndEarly: boolean): Read | null {
  const body: Values = {}
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

function valueAt(
  octets: Buffer,
  offset: number,
  end: number,
  form: PduForm,
): number | string | Uint8Array {
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
