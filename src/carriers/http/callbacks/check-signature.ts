import { createHmac, hash, type KeyObject, timingSafeEqual, verify } from 'node:crypto'
import type { Callback, CallbackHead } from '../../../core/ports/callback.ts'
import { asItIs, fill, readTemplate, type RequestTemplate } from '../../template.ts'
import { after } from '../requests/message-values.ts'
import { publicKey } from '../credentials/public-key.ts'
import type { CallbackAuthentication } from './callback-settings.ts'

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

/** The names of what a provider can sign, besides `header.…`. */
export const signedNames = ['url', 'urlBase', 'body', 'bodySha256', 'form'] as const

/** Returns the bytes that a provider signs. The URL is the public one, which a proxy may rewrite. */
export function signedContent(
  template: RequestTemplate,
  callback: Callback,
  publicUrl: string | null,
): Buffer {
  return Buffer.concat(
    template.map((piece) => {
      if (typeof piece === 'string') return Buffer.from(piece)
      if (piece.name === 'body') return callback.body
      if (piece.name === 'bodySha256') return hash('sha256', callback.body, 'buffer')
      return Buffer.from(fill([piece], (name) => textOf(name, callback, publicUrl), asItIs) ?? '')
    }),
  )
}

/** Returns a header field of a callback; empty if there is none. */
export function headerOf({ headers }: CallbackHead, name: string): string {
  const value = headers[name.toLowerCase()]
  return typeof value === 'string' ? value : (value?.join(', ') ?? '')
}

function textOf(name: string, callback: Callback, publicUrl: string | null): string | null {
  const header = after('header.', name)
  if (header !== null) return headerOf(callback, header)
  const origin = (publicUrl ?? '').replace(/\/+$/, '')
  switch (name) {
    case 'url':
      return `${origin}${callback.target}`
    case 'urlBase':
      return `${origin}${callback.target.split('?', 1)[0]}`
    case 'form':
      return sortedForm(callback.body)
    default:
      return null
  }
}

/** Joins a form's names and values, sorted by name, each pair once. */
function sortedForm(body: Uint8Array): string {
  const pairs = [...new URLSearchParams(Buffer.from(body).toString())]
  const texts = new Map(
    pairs.map(([name, value]) => [JSON.stringify([name, value]), [name, value]]),
  )
  return [...texts.values()]
    .toSorted(([a = '', b = ''], [c = '', d = '']) => order(a, c) || order(b, d))
    .map((pair) => pair.join(''))
    .join('')
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
