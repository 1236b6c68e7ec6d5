/** Accounts are distributed over this many cells. */
const cells = 256

const offsetBasis = 0x811c9dc5
const prime = 0x01000193

/**
 * Returns the cell of an account, or of the address by which a directory is read, from 0 to 255: the
 * first column of each table that grows. It is stored, so the hash (FNV-1a, its octets folded) never changes.
 */
export function cellOf(name: string): number {
  let hash = offsetBasis
  for (let at = 0; at < name.length; at += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(at), prime)
  }
  return ((hash >>> 24) ^ (hash >>> 16) ^ (hash >>> 8) ^ hash) & (cells - 1)
}
