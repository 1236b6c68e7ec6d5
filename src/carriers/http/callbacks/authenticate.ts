import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { Callback } from '../../../core/ports/callback.ts'
import type { CallbackAuthentication } from './callback-settings.ts'
import { after, settledValues } from '../message-values.ts'
import type { HttpSettings } from '../settings.ts'
import { asItIs, fill, readTemplate, type TemplateValues } from '../../template.ts'

/** Checks that a callback comes from the provider. */
export type AuthenticateCallback = (callback: Callback) => boolean

/** Creates the check of every callback; without a declaration it refuses all. */
export function authenticator(id: string, settings: HttpSettings): AuthenticateCallback {
  const { callbackAuthentication: declared } = settings
  if (declared === null) return () => false
  const settled = settledValues(id, settings)
  const secret = (text: string): string => fill(readTemplate(text), settled, asItIs) ?? ''
  const checks = [
    queryCheck(declared, secret),
    headerCheck(declared, secret),
    basicCheck(declared, secret),
    signatureCheck(declared, secret, settings),
  ].filter((check) => check !== null)
  // Run every check, so that the time does not show which one failed.
  return (callback) =>
    checks.length > 0 && checks.map((check) => check(callback)).every((holds) => holds)
}

type Check = ((callback: Callback) => boolean) | null
type Secret = (text: string) => string

function queryCheck({ query }: CallbackAuthentication, secret: Secret): Check {
  if (query === null) return null
  const wanted = secret(query.value)
  return ({ target }) => {
    const given = new URLSearchParams(target.split('?').slice(1).join('?')).getAll(query.name)
    return given.length === 1 && same(given[0] ?? '', wanted)
  }
}

function headerCheck({ header }: CallbackAuthentication, secret: Secret): Check {
  if (header === null) return null
  const wanted = secret(header.value)
  return (callback) => same(field(callback, header.name), wanted)
}

/** RFC 7617. */
function basicCheck({ basic }: CallbackAuthentication, secret: Secret): Check {
  if (basic === null) return null
  const wanted = `${secret(basic.username)}:${secret(basic.password)}`
  return (callback) => {
    const given = /^basic +([A-Za-z0-9+/=_-]+)$/i.exec(field(callback, 'authorization'))?.[1] ?? ''
    return same(Buffer.from(given, 'base64').toString(), wanted)
  }
}

function signatureCheck(
  { signature }: CallbackAuthentication,
  secret: Secret,
  { publicUrl }: HttpSettings,
): Check {
  if (signature === null) return null
  const { header, algorithm, encoding, prefix } = signature
  const key = secret(signature.key)
  const content = readTemplate(signature.content)
  return (callback) => {
    const signed = fill(content, signedValues(callback, publicUrl), asItIs) ?? ''
    const digest = createHmac(algorithm.toLowerCase(), key).update(signed)
    const wanted = prefix + digest.digest(encoding === 'HEX' ? 'hex' : 'base64')
    const given = field(callback, header)
    return same(encoding === 'HEX' ? given.toLowerCase() : given, lowered(wanted, encoding))
  }
}

function lowered(text: string, encoding: 'HEX' | 'BASE64'): string {
  return encoding === 'HEX' ? text.toLowerCase() : text
}

/** Values that a provider can sign. The URL is the public one, which a proxy may rewrite. */
function signedValues(callback: Callback, publicUrl: string | null): TemplateValues {
  return (name) => {
    const header = after('header.', name)
    if (header !== null) return field(callback, header)
    switch (name) {
      case 'url':
        return `${(publicUrl ?? '').replace(/\/+$/, '')}${callback.target}`
      case 'body':
        return Buffer.from(callback.body).toString()
      case 'form':
        return sortedForm(callback.body)
      default:
        return null
    }
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

function field({ headers }: Callback, name: string): string {
  const value = headers[name.toLowerCase()]
  return typeof value === 'string' ? value : (value?.join(', ') ?? '')
}

/** Compares in constant time. */
function same(given: string, wanted: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', wanted, 'buffer'))
}
