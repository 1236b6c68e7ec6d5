/** Who uses the console: a key, and the account in which it acts. */
export interface Session {
  readonly id: string
  readonly account: string
  readonly key: string | null
  /** Who signed in at the provider; null if a key or a code did. */
  readonly person: string | null
  readonly scopes: readonly string[]
}

/** Remembers the session, which holds no secret, across visits. The cookie is out of its reach. */
const storageKey = 'nuncio.session'

/** Returns the session of the last sign-in, if it has not been ended here. */
export function storedSession(): Session | null {
  const text = localStorage.getItem(storageKey)
  return text === null ? null : JSON.parse(text)
}

/** Exchanges a key or a one-time code for a cookie. Throws the service's problem. */
export async function signIn(given: string): Promise<Session> {
  const isKey = given.startsWith('nuncio_')
  const [foreign] = isKey ? given.replaceAll(/[\w-]/g, '') : []
  if (foreign !== undefined) {
    const detail = `The key is invalid: no key contains “${foreign}”. Copy it again.`
    throw new SignInRefused({ detail })
  }
  const response = await fetch('/v1/sessions', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(isKey ? { authorization: `Bearer ${given}` } : {}),
    },
    body: JSON.stringify(isKey ? {} : { code: given }),
  })
  const answer: Readonly<Record<string, unknown>> = await response.json()
  if (!response.ok) throw new SignInRefused(answer)
  return storeSession(answer)
}

/** Ends the session here and in the service. */
export async function signOut(session: Session): Promise<void> {
  localStorage.removeItem(storageKey)
  await fetch(`/v1/sessions/${encodeURIComponent(session.id)}`, { method: 'DELETE' })
}

/** Forgets a session that the service has ended. */
export function forgetSession(): void {
  localStorage.removeItem(storageKey)
}

/** The service refused to begin a session. */
export class SignInRefused extends Error {
  readonly requestId: string | null

  constructor(problem: Readonly<Record<string, unknown>>) {
    super(String(problem['detail'] ?? problem['title'] ?? 'The service refused to sign you in.'))
    const id = problem['requestId']
    this.requestId = typeof id === 'string' ? id : null
  }
}

/** Stores what the service says of a session. */
export function storeSession(answer: Readonly<Record<string, unknown>>): Session {
  const scopes = answer['scopes']
  const session: Session = {
    id: String(answer['id']),
    account: String(answer['account'] ?? ''),
    key: textOrNull(answer['key']),
    person: textOrNull(answer['person']),
    // A session that names no scopes may try everything: the service decides.
    scopes: Array.isArray(scopes) ? scopes.map(String) : ['*', 'admin'],
  }
  localStorage.setItem(storageKey, JSON.stringify(session))
  return session
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** Returns the address at which people sign in at the company's provider; null if the service knows none. */
export async function findProvider(signal: AbortSignal): Promise<string | null> {
  const response = await fetch('/', { headers: { accept: 'application/json' }, signal })
  if (!response.ok) return null
  const answer: Readonly<Record<string, unknown>> = await response.json()
  return textOrNull(answer['signIn'])
}

/** Finds a session that began elsewhere, such as at an identity provider; null if there is none. */
export async function findSession(): Promise<Session | null> {
  const response = await fetch('/v1/sessions/current')
  return response.ok ? storeSession(await response.json()) : null
}

/** Returns true if a key with these scopes may do what requires `scope`. */
export function permits(scopes: readonly string[], scope: string | undefined): boolean {
  if (scope === undefined) return false
  if (scopes.includes('admin')) return true
  if (scope === 'admin') return false
  const action = scope.split(':')[1] ?? ''
  return scope === '' || [scope, '*', `*:${action}`].some((one) => scopes.includes(one))
}

/** Notifies when another tab signs in or out. */
export function watchSession(changed: () => void): () => void {
  const listen = (event: StorageEvent): void => {
    if (event.key === storageKey) changed()
  }
  addEventListener('storage', listen)
  return () => removeEventListener('storage', listen)
}
