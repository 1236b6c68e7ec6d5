import { hash } from 'node:crypto'

/** PostgreSQL cuts names off behind 63 octets. */
const identifierBytesMax = 60
const keptBytes = 36
const digestLength = 20

/**
 * The name of a table, column or index made of names of declarations. Databases tell some names
 * apart by case and some not, so capitals are written as `_` and the small letter.
 */
export function identifier(name: string): string {
  return shortened(name.replace(/[A-Z_]/g, (character) => `_${character.toLowerCase()}`))
}

/** A name made of identifiers, cut off where it is too long, and then told apart by a digest. */
export function shortened(plain: string): string {
  const octets = Buffer.from(plain)
  if (octets.length <= identifierBytesMax) return plain
  const kept = octets.subarray(0, keptBytes).toString().replace(/�+$/, '')
  return `${kept}~${hash('sha256', plain, 'hex').slice(0, digestLength)}`
}

/** A name as it stands in SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
