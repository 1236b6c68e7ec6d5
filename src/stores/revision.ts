import { hash } from 'node:crypto'

/** Octets are written six bits a character: 22 of them hold 132 bits of the digest. */
const revisionLength = 22

/** The revision of an instance: the beginning of the SHA-256 of the text that is served, in base64url. */
export function revisionOf(doc: string): string {
  return hash('sha256', doc, 'base64url').slice(0, revisionLength)
}
