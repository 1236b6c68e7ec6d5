import type { KeyObject } from 'node:crypto'
import type { NewId } from '../../../core/id.ts'
import { isJsonObject } from '../../../core/json.ts'
import type { Clock } from '../../../core/ports/clock.ts'
import {
  asItIs,
  fill,
  readJsonTemplate,
  readTemplate,
  type TemplateValues,
} from '../../template.ts'
import type { TokenResult } from './access-token.ts'
import type { JwtSettings } from './credential-settings.ts'
import { privateKey } from './public-key.ts'

/** Signs bearer tokens (RFC 7519); each serves for half of its lifetime. */
export function signedTokens(
  declared: JwtSettings,
  values: TemplateValues,
  { clock, newId }: { readonly clock: Clock; readonly newId: NewId },
): () => Promise<TokenResult> {
  const { algorithm, lifetimeSeconds } = declared
  const claims = readJsonTemplate(declared.claims ?? {})
  const key = keyOf(declared, values)
  const keyId = declared.keyId === null ? null : fill(readTemplate(declared.keyId), values, asItIs)
  let known: { readonly token: string; readonly renewAt: number } | null = null

  return async () => {
    if (known !== null && clock.monotonic() < known.renewAt) return { ok: true, token: known.token }
    if (key === null) return { ok: false, reason: 'no token: its key cannot be read' }
    // Loaded on first use: most carriers need none (docs/decisions/0016).
    const { SignJWT } = await import('jose')
    const content = claims(values)
    const issuedAt = Math.floor(clock.now() / 1000)
    const token = await new SignJWT(isJsonObject(content ?? null) ? { ...(content as object) } : {})
      .setProtectedHeader({ typ: 'JWT', alg: algorithm, ...(keyId === null ? {} : { kid: keyId }) })
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + lifetimeSeconds)
      .setJti(newId('token'))
      .sign(key)
    known = { token, renewAt: clock.monotonic() + lifetimeSeconds * 500 }
    return { ok: true, token }
  }
}

function keyOf(
  { algorithm, key }: JwtSettings,
  values: TemplateValues,
): KeyObject | Uint8Array | null {
  const text = fill(readTemplate(key), values, asItIs) ?? ''
  return algorithm === 'HS256' ? Buffer.from(text) : privateKey(text)
}
