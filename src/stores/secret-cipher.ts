import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import { StoreUnavailable } from '../core/ports/store.ts'

/** Encrypts secrets before the store writes them. */
export interface SecretCipher {
  /** Identifiers of its keys; the first one encrypts. They do not reveal the keys. */
  readonly keyIds: readonly string[]
  /** Encrypts a text for one context. The same text in the same context has the same result. */
  encrypt(context: string, text: string): string
  /** Decrypts a text. Throws if no key fits, or if the text belongs to another context. */
  decrypt(context: string, encrypted: string): string
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
const keyBytes = 32
const idBytes = 6

interface DerivedKey {
  readonly id: string
  readonly encryption: Buffer
  readonly nonce: Buffer
}

/**
 * Creates a cipher of one or more keys. A text may be decrypted with each of them, so that a new key can
 * replace an old one. Returns null if there are none.
 */
export function secretCipher(keys: readonly string[]): SecretCipher | null {
  const derived = keys.map(deriveKey)
  const [first] = derived
  if (first === undefined) return null
  return {
    keyIds: derived.map(({ id }) => id),
    encrypt: (context, text) => {
      const nonce = nonceOf(first, context, text)
      const cipher = createCipheriv(algorithm, first.encryption, nonce)
      cipher.setAAD(Buffer.from(context))
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      const parts = Buffer.concat([nonce, cipher.getAuthTag(), encrypted])
      return `${first.id}.${parts.toString('base64url')}`
    },
    decrypt: (context, encrypted) => {
      const [id = '', parts = ''] = encrypted.split('.')
      const key = derived.find((each) => each.id === id)
      if (key === undefined) {
        throw new StoreUnavailable(
          `a secret is encrypted with the key ${id}, which NUNCIO_SECRET_KEY of this node lacks; add it`,
        )
      }
      const bytes = Buffer.from(parts, 'base64url')
      const [nonce, tag] = [bytes.subarray(0, nonceBytes), bytes.subarray(nonceBytes, bodyStart)]
      const decipher = createDecipheriv(algorithm, key.encryption, nonce, {
        authTagLength: tagBytes,
      })
      decipher.setAAD(Buffer.from(context)).setAuthTag(tag)
      return Buffer.concat([
        decipher.update(bytes.subarray(bodyStart)),
        decipher.final(),
      ]).toString()
    },
  }
}

const bodyStart = nonceBytes + tagBytes

/** HKDF (RFC 5869) is enough: the keys are random texts, too many to try all. */
function deriveKey(text: string): DerivedKey {
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', text, '', `nuncio secrets at rest: ${purpose}`, bytes))
  return {
    id: derive('key id', idBytes).toString('hex'),
    encryption: derive('encryption', keyBytes),
    nonce: derive('nonce', keyBytes),
  }
}

/**
 * Derives the nonce from all that is encrypted. Two texts never share a nonce by chance of a clock or a
 * restored backup, and an unchanged secret leaves its row unchanged.
 */
function nonceOf({ nonce }: DerivedKey, context: string, text: string): Buffer {
  const digest = createHmac('sha256', nonce)
    .update(JSON.stringify([context, text]))
    .digest()
  return digest.subarray(0, nonceBytes)
}
