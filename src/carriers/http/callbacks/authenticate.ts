import type { Callback } from '../../../core/ports/callback.ts'
import type { Clock } from '../../../core/ports/clock.ts'
import { settledValues } from '../requests/message-values.ts'
import type { HttpSettings } from '../settings.ts'
import { asItIs, fill, readTemplate } from '../requests/template.ts'
import type { CallbackAuthentication } from './callback-settings.ts'
import { signatureCheck } from './check-signature.ts'
import { tokenCheck } from './check-token.ts'
import { queryOf } from './read-callback.ts'
import { same } from './same.ts'
import { headerOf } from './signed-content.ts'

/** Checks that a callback comes from the provider. */
export type AuthenticateCallback = (callback: Callback) => Promise<boolean>

/** Creates the check of every callback; without a declaration it refuses all. */
export function authenticator(
  id: string,
  settings: HttpSettings,
  clock: Clock,
): AuthenticateCallback {
  const { callbackAuthentication: declared, publicUrl } = settings
  if (declared === null) return async () => false
  const settled = settledValues(id, settings)
  const secret = (text: string): string => fill(readTemplate(text), settled, asItIs) ?? ''
  const { signature, jwt } = declared
  const checks: readonly Check[] = [
    queryCheck(declared, secret),
    headerCheck(declared, secret),
    basicCheck(declared, secret),
    signature === null ? null : signatureCheck(signature, secret(signature.key), publicUrl),
    jwt === null ? null : tokenCheck(jwt, secret(jwt.key), clock),
  ]
  const declaredChecks = checks.filter((check) => check !== null)
  // Run every check, so that the time does not show which one failed.
  return async (callback) => {
    const results = await Promise.all(declaredChecks.map((check) => check(callback)))
    return results.length > 0 && results.every((holds) => holds)
  }
}

type Check = ((callback: Callback) => boolean | Promise<boolean>) | null
type Secret = (text: string) => string

function queryCheck({ query }: CallbackAuthentication, secret: Secret): Check {
  if (query === null) return null
  const wanted = secret(query.value)
  return (callback) => {
    const given = queryOf(callback).getAll(query.name)
    return given.length === 1 && same(given[0] ?? '', wanted)
  }
}

function headerCheck({ header }: CallbackAuthentication, secret: Secret): Check {
  if (header === null) return null
  const wanted = secret(header.value)
  return (callback) => same(headerOf(callback, header.name), wanted)
}

/** RFC 7617. */
function basicCheck({ basic }: CallbackAuthentication, secret: Secret): Check {
  if (basic === null) return null
  const wanted = `${secret(basic.username)}:${secret(basic.password)}`
  return (callback) => {
    const given =
      /^basic +([A-Za-z0-9+/=_-]+)$/i.exec(headerOf(callback, 'authorization'))?.[1] ?? ''
    return same(Buffer.from(given, 'base64').toString(), wanted)
  }
}
