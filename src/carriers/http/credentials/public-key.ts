import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'

/**
 * Reads a public key: PEM, the same in base64 without its first and last line, or the 32 bytes of an
 * Ed25519 key in base64 or hex. Null if it is malformed.
 */
export function publicKey(text: string): KeyObject | null {
  try {
    if (text.includes('-----BEGIN')) return createPublicKey(withLines(text))
    const bytes = /^[0-9a-f]{64}$/i.test(text)
      ? Buffer.from(text, 'hex')
      : Buffer.from(text, 'base64')
    const key = bytes.length === 32 ? Buffer.concat([ed25519Head, bytes]) : bytes
    return createPublicKey({ key, format: 'der', type: 'spki' })
  } catch {
    return null
  }
}

/** SubjectPublicKeyInfo of Ed25519 up to the key (RFC 8410 section 4). */
const ed25519Head = Buffer.from('302a300506032b6570032100', 'hex')

/** Reads a private key from PEM; `\n` in one line counts as a line break. Null if it is malformed. */
export function privateKey(text: string): KeyObject | null {
  try {
    return createPrivateKey(withLines(text))
  } catch {
    return null
  }
}

/** Reads a written-out `\n` as a line break: a variable often has one line. */
function withLines(text: string): string {
  return text.replaceAll(String.raw`\n`, '\n')
}
