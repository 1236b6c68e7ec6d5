import type { Encoding } from '../core/carrier.ts'
import { septetsOf } from './gsm-alphabet.ts'

/** The encoding of a body for which none was asked: `TEXT` if it fits GSM 03.38, else `UNICODE`. */
export function chooseEncoding(body: string): 'TEXT' | 'UNICODE' {
  return firstMisfit(body) === -1 ? 'TEXT' : 'UNICODE'
}

/** Says why a body cannot be sent in an encoding, as the detail of an input error; null if it can. */
export function encodingFault(body: string, encoding: Encoding): string | null {
  if (encoding === 'UNICODE') return null
  if (encoding === 'BINARY') return hexOctets.test(body) ? null : binaryFault
  const index = firstMisfit(body)
  return index === -1 ? null : textFault(body, index)
}

const hexOctets = /^(?:[0-9A-Fa-f]{2})+$/

const binaryFault = 'must be octets in hexadecimal: an even number of the digits 0-9, A-F'

function firstMisfit(body: string): number {
  for (let index = 0; index < body.length; index += 1) {
    if (septetsOf(body.charCodeAt(index)) === 0) return index
  }
  return -1
}

function textFault(body: string, index: number): string {
  const code = body.codePointAt(index) ?? 0
  const point = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  const place = Array.from(body.slice(0, index)).length + 1
  return (
    `has ${JSON.stringify(String.fromCodePoint(code))} (${point}) as character ${place}, ` +
    'which TEXT (GSM 03.38) does not have: leave encoding out, or ask for UNICODE'
  )
}
