import { namesSecret, needsSecret, type NoteFault, urlFaults } from '../request-faults.ts'
import { settledValues } from '../requests/message-values.ts'
import { asItIs, fill, readTemplate } from '../../template.ts'
import type { HttpSettings } from '../settings.ts'
import { privateKey } from './public-key.ts'

/** Reports the faults in a carrier's credentials. */
export function credentialFaults(
  settings: HttpSettings,
  refusal: (url: string) => string | null,
  note: NoteFault,
): void {
  const { basic, bearer, oauth2, jwt, sigv4, check } = settings
  const given = { basic, bearer, oauth2, jwt, sigv4 }
  const names = Object.entries(given).flatMap(([name, value]) => (value === null ? [] : [name]))
  const [first, second] = names
  if (second !== undefined) note(`/${second}`, `must not be there beside ${first}`)
  const secretTexts = [
    ['/basic/password', basic?.password],
    ['/bearer', bearer ?? undefined],
    ['/oauth2/clientSecret', oauth2?.clientSecret],
    ['/jwt/key', jwt?.key],
    ['/sigv4/secretAccessKey', sigv4?.secretAccessKey],
  ] as const
  for (const [at, text] of secretTexts) {
    if (text !== undefined && !namesSecret(text)) note(at, needsSecret)
  }
  if (oauth2 !== null) urlFaults(oauth2.tokenUrl, settings, refusal, '/oauth2/tokenUrl', note)
  if (check !== null) urlFaults(check.url, settings, refusal, '/check/url', note)
  keyFaults(settings, note)
  secretFaults(settings, note)
}

function keyFaults(settings: HttpSettings, note: NoteFault): void {
  const { jwt } = settings
  if (jwt === null || jwt.algorithm === 'HS256' || !namesSecret(jwt.key)) return
  const text = fill(readTemplate(jwt.key), settledValues('x', settings), asItIs) ?? ''
  const type = { RS256: 'rsa', ES256: 'ec', EdDSA: 'ed25519' }[jwt.algorithm]
  const key = text === '' ? undefined : privateKey(text)
  // The value itself is never quoted. A missing secret has its own fault.
  if (key !== undefined && key?.asymmetricKeyType !== type) {
    note('/jwt/key', `must be a private key for ${jwt.algorithm} as PEM`)
  }
}

function secretFaults({ secrets }: HttpSettings, note: NoteFault): void {
  for (const [name, value] of Object.entries(secrets ?? {})) {
    if (/[^\t\r\n\x20-\x7e]/.test(value)) {
      note(`/secrets/${name}`, 'must be printable ASCII, with line breaks at most')
    }
  }
}
