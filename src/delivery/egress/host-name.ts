import { domainToUnicode } from 'node:url'

/** A label of a name (RFC 1123 section 2.1); underscores are found in the names of private networks. */
const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/
const nameLengthMax = 253

/** Whether a name, as the URL parser gives it, could be that of a host: a dot at its end is allowed. */
export function isHostName(name: string): boolean {
  const bare = name.replace(/\.$/, '')
  return bare.length <= nameLengthMax && bare.split('.').every(isLabel)
}

/** What begins as Punycode (RFC 3492) must stand for something. */
function isLabel(text: string): boolean {
  return label.test(text) && (!text.startsWith('xn--') || domainToUnicode(text) !== text)
}
