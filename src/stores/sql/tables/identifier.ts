import { hash } from 'node:crypto'

/** PostgreSQL truncates names to 63 octets. */
const identifierBytesMax = 60
const keptBytes = 36
const digestLength = 20

/**
 * Returns the name of a table, column or index, built from names of declarations. Only some databases are
 * case-sensitive, so a capital is written as `_` and its small letter.
 */
export function identifier(name: string): string {
  return shortened(name.replace(/[A-Z_]/g, (character) => `_${character.toLowerCase()}`))
}

/**
 * Returns a name made of identifiers; truncates it if it is too long, and appends a digest to keep it
 * unique.
 */
export function shortened(plain: string): string {
  const octets = Buffer.from(plain)
  if (octets.length <= identifierBytesMax) return plain
  const kept = octets.subarray(0, keptBytes).toString().replace(/�+$/, '')
  return `${kept}~${hash('sha256', plain, 'hex').slice(0, digestLength)}`
}

/** Returns a name as a quoted SQL identifier. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
