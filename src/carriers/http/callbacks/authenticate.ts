import type { Callback, CallbackHead } from '../../../core/ports/callback.ts'
import type { Clock } from '../../../core/ports/clock.ts'
import { settledValues } from '../requests/message-values.ts'
import type { HttpSettings } from '../settings.ts'
import { asItIs, fill, readTemplate } from '../../template.ts'
import type { CallbackAuthentication } from './callback-settings.ts'
import { signatureCheck } from './check-signature.ts'
import { tokenCheck } from './check-token.ts'
import { queryOf } from './read-callback.ts'
import { same } from './same.ts'
import { headerOf } from './signed-content.ts'

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
