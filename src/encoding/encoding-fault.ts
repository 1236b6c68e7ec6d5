import type { TextForm } from './text-form.ts'
import { codesOf, firstMisfit } from './septets.ts'

/** Says why a body cannot be sent in a form, as the detail of an input error; null if it can. */
export function encodingFault(body: string, form: TextForm): string | null {
  if (form.encoding === 'UNICODE') return null
  if (form.encoding === 'BINARY') return hexOctets.test(body) ? null : binaryFault
  const index = firstMisfit(body, codesOf(form))
  return index === -1 ? null : textFault(body, index)
}

const hexOctets = /^(?:[0-9A-Fa-f]{2})+$/

const binaryFault = 'must be octets in hexadecimal: an even number of the digits 0-9, A-F'

function textFault(body: string, index: number): string {
  const code = body.codePointAt(index) ?? 0
  const point = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  const place = Array.from(body.slice(0, index)).length + 1
  return (
    `has ${JSON.stringify(String.fromCodePoint(code))} (${point}) as character ${place}, ` +
    'which TEXT (GSM 03.38) does not have: leave encoding out, or ask for UNICODE'
  )
}
