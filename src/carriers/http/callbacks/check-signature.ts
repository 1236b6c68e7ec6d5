import { createHmac, hash, type KeyObject, timingSafeEqual, verify } from 'node:crypto'
import type { Callback } from '../../../core/ports/callback.ts'
import { readTemplate } from '../../template.ts'
import { publicKey } from '../credentials/public-key.ts'
import type { CallbackAuthentication } from './callback-settings.ts'
import { headerOf, signedContent } from './signed-content.ts'

type Signature = NonNullable<CallbackAuthentication['signature']>

/** Creates the check of a signature: an HMAC, or one that a public key verifies. */
export function signatureCheck(
  declared: Signature,
  keyText: string,
  publicUrl: string | null,
): (callback: Callback) => boolean {
  const { header, prefix, encoding } = declared
  const content = readTemplate(declared.content)
  const algorithm = hmacs[declared.algorithm]
  if (algorithm === undefined) {
    const key = publicKey(keyText)
    return (callback) => {
      const given = headerOf(callback, header)
      if (key === null || !given.startsWith(prefix)) return false
      const signature = Buffer.from(given.slice(prefix.length), encodings[encoding])
      return verified(declared, key, signedContent(content, callback, publicUrl), signature)
    }
  }
  return (callback) => {
    const digest = createHmac(algorithm, keyText).update(
      signedContent(content, callback, publicUrl),
    )
    const wanted = prefix + digest.digest(encodings[encoding])
    const given = headerOf(callback, header)
    return same(lowered(given, encoding), lowered(wanted, encoding))
  }
}

const encodings = { HEX: 'hex', BASE64: 'base64' } as const

const hmacs: Readonly<Partial<Record<Signature['algorithm'], string>>> = {
  SHA1: 'sha1',
  SHA256: 'sha256',
  SHA512: 'sha512',
}

function verified(
  { algorithm }: Signature,
  key: KeyObject,
  content: Buffer,
  signature: Buffer,
): boolean {
  try {
    // The digest of Ed25519 is part of its algorithm (RFC 8032).
    return verify(algorithm === 'ED25519' ? null : 'sha256', content, key, signature)
  } catch {
    return false
  }
}

function lowered(text: string, encoding: Signature['encoding']): string {
  return encoding === 'HEX' ? text.toLowerCase() : text
}

/** Compares two texts in constant time. */
export function same(given: string, wanted: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', wanted, 'buffer'))
}
