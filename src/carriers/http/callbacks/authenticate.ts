import { hash } from 'node:crypto'
import type { Callback, CallbackHead } from '../../../core/ports/callback.ts'
import type { Clock } from '../../../core/ports/clock.ts'
import { asItIs, fill, readTemplate } from '../../template.ts'
import { publicKey } from '../credentials/public-key.ts'
import { settledValues } from '../requests/message-values.ts'
import type { HttpSettings } from '../settings.ts'
import type { CallbackAuthentication } from './callback-settings.ts'
import { headerOf, same, signatureCheck } from './check-signature.ts'
import { queryOf } from './read-callback.ts'

/**
 * Checks that a callback comes from the provider: on its head what that shows, then the whole. Returns the
 * declared part that does not match; null if all do.
 */
export interface AuthenticateCallback {
  readonly head: (callback: CallbackHead) => Promise<string | null>
  readonly whole: (callback: Callback) => Promise<string | null>
}

/** Creates the checks of every callback; without a declaration they refuse all. */
export function authenticator(
  id: string,
  settings: HttpSettings,
  clock: Clock,
): AuthenticateCallback {
  const { callbackAuthentication: declared, publicUrl } = settings
  if (declared === null) return { head: async () => undeclared, whole: async () => undeclared }
  const settled = settledValues(id, settings)
  const secret = (text: string): string => fill(readTemplate(text), settled, asItIs) ?? ''
  const { signature, jwt } = declared
  const ofHead: Checks<CallbackHead> = {
    query: queryCheck(declared, secret),
    header: headerCheck(declared, secret),
    basic: basicCheck(declared, secret),
    signature: signature === null ? null : (each) => headerOf(each, signature.header) !== '',
    jwt: jwt === null ? null : tokenCheck({ ...jwt, bodyDigest: null }, secret(jwt.key), clock),
  }
  const ofWhole: Checks<Callback> = {
    signature:
      signature === null ? null : signatureCheck(signature, secret(signature.key), publicUrl),
    jwt: jwt === null || jwt.bodyDigest === null ? null : tokenCheck(jwt, secret(jwt.key), clock),
  }
  const isAny = Object.values(ofHead).some((check) => check !== null)
  return {
    head: async (callback) => (isAny ? failing(ofHead, callback) : undeclared),
    whole: (callback) => failing(ofWhole, callback),
  }
}

const undeclared = 'callbackAuthentication'

type Check<C extends CallbackHead> = (callback: C) => boolean | Promise<boolean>

type Checks<C extends CallbackHead> = Readonly<Record<string, Check<C> | null>>

/** Runs every check, so that the time does not show which one failed. */
async function failing<C extends CallbackHead>(
  checks: Checks<C>,
  callback: C,
): Promise<string | null> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([part, check]) => ({
      part,
      holds: (await check?.(callback)) ?? true,
    })),
  )
  const first = results.find(({ holds }) => !holds)
  return first === undefined ? null : `callbackAuthentication/${first.part}`
}

type Secret = (text: string) => string

function queryCheck({ query }: CallbackAuthentication, secret: Secret): Check<CallbackHead> | null {
  if (query === null) return null
  const wanted = secret(query.value)
  return (callback) => {
    const given = queryOf(callback).getAll(query.name)
    return given.length === 1 && same(given[0] ?? '', wanted)
  }
}

function headerCheck(
  { header }: CallbackAuthentication,
  secret: Secret,
): Check<CallbackHead> | null {
  if (header === null) return null
  const wanted = secret(header.value)
  return (callback) => same(headerOf(callback, header.name), wanted)
}

/** RFC 7617. */
function basicCheck({ basic }: CallbackAuthentication, secret: Secret): Check<CallbackHead> | null {
  if (basic === null) return null
  const wanted = `${secret(basic.username)}:${secret(basic.password)}`
  return (callback) => {
    const given =
      /^basic +([A-Za-z0-9+/=_-]+)$/i.exec(headerOf(callback, 'authorization'))?.[1] ?? ''
    return same(Buffer.from(given, 'base64').toString(), wanted)
  }
}

type Declared = NonNullable<CallbackAuthentication['jwt']>

/** Difference that the clocks of the provider and the service may have, in seconds. */
const toleranceSeconds = 60

/** Creates the check of a JWT (RFC 7519) that a provider sends with its callbacks. */
function tokenCheck(
  { header, algorithm, bodyDigest, claims }: Declared,
  keyText: string,
  clock: Clock,
): (callback: CallbackHead & Partial<Callback>) => Promise<boolean> {
  const key = algorithm === 'HS256' ? Buffer.from(keyText) : publicKey(keyText)
  return async (callback) => {
    const token = headerOf(callback, header).replace(/^bearer +/i, '')
    if (key === null || token === '') return false
    // Loaded on first use: most carriers need none (docs/decisions/0016).
    const { jwtVerify } = await import('jose')
    const currentDate = new Date(clock.now())
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [algorithm],
        clockTolerance: toleranceSeconds,
        currentDate,
      })
      const areAsDeclared = Object.entries(claims).every(
        ([name, value]) => Object.hasOwn(payload, name) && String(payload[name]) === value,
      )
      if (bodyDigest === null) return areAsDeclared
      const digest = String(payload[bodyDigest] ?? '').toLowerCase()
      return areAsDeclared && same(digest, hash('sha256', callback.body ?? '', 'hex'))
    } catch {
      return false
    }
  }
}
