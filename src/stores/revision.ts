import { hash } from 'node:crypto'

/** Characters of a revision: with six bits each, 132 bits of the digest. */
const revisionLength = 22

/** Returns the revision of an instance: the first part of the SHA-256 of its served text, in base64url. */
export function revisionOf(doc: string): string {
  return hash('sha256', doc, 'base64url').slice(0, revisionLength)
}
