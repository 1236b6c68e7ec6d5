import { weaknessOf } from '../../../core/secrets.ts'
import type { CallbackAuthentication, DeclaredCallback } from './callback-settings.ts'
import { patternFault } from '../reading/find-pattern.ts'
import { after, settledValues } from '../requests/message-values.ts'
import type { NoteFault } from '../request-faults.ts'
import type { HttpSettings } from '../settings.ts'
import { namesIn, asItIs, fill, readTemplate } from '../../template.ts'
import { publicKey } from '../credentials/public-key.ts'
import { signedNames } from './check-signature.ts'

/** Reports the faults in a carrier's callback settings and their authentication. */
export function callbackFaults(settings: HttpSettings, note: NoteFault): void {
  const { callbacks, callbackAuthentication } = settings
  for (const [index, each] of callbacks.entries()) {
    contentFaults(each, settings, `/callbacks/${index}`, note)
  }
  challengeFaults(settings, note)
  const { status, body } = settings.callbackAnswer
  if ([204, 205].includes(status) && body !== null) {
    note('/callbackAnswer/status', `must not be ${status} with a body: use 200`)
  }
  if (callbackAuthentication === null) {
    if (callbacks.length > 0) note('/callbackAuthentication', required)
    return
  }
  if (Object.values(callbackAuthentication).every((each) => each === null)) {
    note('/callbackAuthentication', required)
  }
  secretFaults(settings, callbackAuthentication, note)
  signatureFaults(settings, callbackAuthentication, note)
}

const required = 'must have one of query, header, basic, signature and jwt: anybody could call else'

function contentFaults(
  { receipt, message, ignore, confirm }: DeclaredCallback,
  { parameters }: HttpSettings,
  at: string,
  note: NoteFault,
): void {
  const kinds = [receipt !== null, message !== null, ignore, confirm !== null].filter(Boolean)
  if (kinds.length !== 1) note(at, 'must have one of receipt, message, ignore and confirm')
  const { id, from, to, body } = message ?? {}
  const sources = {
    receipt: [receipt?.id, receipt?.status, receipt?.reason, receipt?.code],
    message: [id, from, to, body],
    confirm: [confirm?.url, confirm === null ? null : `=${confirm.host}`],
  }
  for (const [name, texts] of Object.entries(sources)) {
    for (const constant of texts.filter((text) => text?.startsWith('='))) {
      const unknown = namesIn(constant ?? '').find(
        (each) => parameters[after('parameter.', each) ?? ''] === undefined,
      )
      if (unknown === undefined) continue
      note(`${at}/${name}`, `names {{${unknown}}}; a constant takes parameters only`)
    }
  }
  const pattern = receipt?.reasonPattern ?? null
  const fault = pattern === null ? null : patternFault(pattern)
  if (fault !== null) note(`${at}/receipt/reasonPattern`, fault)
}

function challengeFaults({ callbackChallenge, secrets }: HttpSettings, note: NoteFault): void {
  if (callbackChallenge === null) return
  const names = namesIn(callbackChallenge.value)
  const isSecret = names.every((name) => Object.hasOwn(secrets ?? {}, after('secret.', name) ?? ''))
  if (names.length === 0 || !isSecret) {
    note('/callbackChallenge/value', 'must take its secret from secrets, as {{secret.…}}')
  }
}

function secretFaults(
  { secrets }: HttpSettings,
  { query, header, basic, signature, jwt }: CallbackAuthentication,
  note: NoteFault,
): void {
  const texts = [
    ['query/value', query?.value],
    ['header/value', header?.value],
    ['basic/password', basic?.password],
    ['signature/key', hasPublicKey(signature) ? undefined : signature?.key],
    ['jwt/key', jwt === null || jwt.algorithm !== 'HS256' ? undefined : jwt.key],
  ] as const
  for (const [place, text] of texts) {
    if (text === undefined) continue
    const at = `/callbackAuthentication/${place}`
    const names = namesIn(text)
    if (names.length === 0) note(at, 'must take its secret from secrets, as {{secret.…}}')
    for (const name of names) {
      const secret = after('secret.', name)
      const value = secret === null ? undefined : secrets?.[secret]
      if (value === undefined) note(at, `names {{${name}}}, and there is no such value in secrets`)
      const weakness = value === undefined ? null : weaknessOf(value)
      if (weakness !== null) note(`/secrets/${secret}`, `${weakness}: it admits callbacks`)
    }
  }
}

/** A key that verifies only need not be secret. */
function hasPublicKey(signature: CallbackAuthentication['signature']): boolean {
  return signature !== null && !signature.algorithm.startsWith('SHA')
}

function signatureFaults(
  settings: HttpSettings,
  { signature, jwt, query, header, basic }: CallbackAuthentication,
  note: NoteFault,
): void {
  if (jwt !== null && jwt.algorithm !== 'HS256') keyFaults(settings, jwt.key, 'jwt', note)
  if (signature === null) return
  if (hasPublicKey(signature)) keyFaults(settings, signature.key, 'signature', note)
  const at = '/callbackAuthentication/signature/content'
  const names = namesIn(signature.content)
  const isWhole = names.some((name) => ['body', 'bodySha256', 'form'].includes(name))
  if (!isWhole && [query, header, basic].every((each) => each === null)) {
    note(
      at,
      'must have {{body}}, {{bodySha256}} or {{form}}, or come with query, header or basic: ' +
        'unsigned contents could be forged',
    )
  }
  const known: readonly string[] = signedNames
  for (const name of names) {
    if (!known.includes(name) && !name.startsWith('header.')) {
      note(at, `names {{${name}}}; it takes ${known.join(', ')} and header.…`)
    }
  }
  const takesUrl = names.includes('url') || names.includes('urlBase')
  if (settings.publicUrl === null && takesUrl) note('/publicUrl', 'is required for {{url}}')
}

function keyFaults(
  settings: HttpSettings,
  key: string,
  part: 'signature' | 'jwt',
  note: NoteFault,
): void {
  const text = fill(readTemplate(key), settledValues('x', settings), asItIs) ?? ''
  if (publicKey(text) !== null) return
  note(
    `/callbackAuthentication/${part}/key`,
    'must be a public key: PEM, or base64 without its first and last line',
  )
}
