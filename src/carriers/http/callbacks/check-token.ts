import { hash } from 'node:crypto'
import type { Callback, CallbackHead } from '../../../core/ports/callback.ts'
import type { Clock } from '../../../core/ports/clock.ts'
import { publicKey } from '../credentials/public-key.ts'
import type { CallbackAuthentication } from './callback-settings.ts'
import { same } from './same.ts'
import { headerOf } from './signed-content.ts'

type Declared = NonNullable<CallbackAuthentication['jwt']>

/** Difference that the clocks of the provider and the service may have, in seconds. */
const toleranceSeconds = 60

/** Creates the check of a JWT (RFC 7519) that a provider sends with its callbacks. */
export function tokenCheck(
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
