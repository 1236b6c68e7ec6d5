import { SignInRefused } from './session.ts'

/** Why the service led the browser back from a provider without a session, and what helps. */
const refusals: Readonly<Record<string, string>> = {
  denied:
    'The provider denied access, or you cancelled the sign-in. ' +
    'Sign in again, or ask who administers the provider to let you use Nuncio.',
  'refused-by-provider':
    'The provider refused the sign-in. ' +
    'Ask the operator of Nuncio: the log of the service has the reason under the request below.',
  invalid:
    'The response of the provider does not belong to this sign-in, or was used before. Sign in again, in one tab.',
  'not-begun':
    'This browser began no sign-in within the last ten minutes. ' +
    'Sign in again; if that does not help, allow cookies for this address.',
  'not-granted':
    'The provider knows you, but nobody gave you access to Nuncio, or your account here is not active. ' +
    'Ask the operator of Nuncio for a grant, then sign in again.',
  unavailable: 'The provider cannot be reached. Retry in a minute, or sign in with a key.',
  'too-many-requests':
    'Too many sign-ins from your network failed. Wait a minute, then sign in again.',
}

const unknown = 'The sign-in did not succeed. Sign in again, or ask the operator of Nuncio.'

/** Returns the refusal that an address names; null if it names none. The address gives a code and no text. */
export function refusalIn(hash: string): SignInRefused | null {
  const parameters = new URLSearchParams(hash.slice(1))
  const code = parameters.get('refused')
  if (code === null) return null
  const detail = Object.hasOwn(refusals, code) ? refusals[code] : unknown
  const requestId = parameters.get('request') ?? ''
  return new SignInRefused({
    detail,
    requestId: /^[\w-]{1,64}$/.test(requestId) ? requestId : null,
  })
}
