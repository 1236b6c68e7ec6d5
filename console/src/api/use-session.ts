import { createContext, useContext } from 'react'
import { permits, type Session } from './session.ts'
import { viewedAccount } from './viewed-account.ts'

/** The session of the page; null before the sign-in. */
export const SessionContext = createContext<Session | null>(null)

/**
 * Returns true if the session's key may do what requires this scope. While another account is viewed,
 * nothing but reading is possible.
 */
export function usePermission(scope: string | undefined): boolean {
  const session = useContext(SessionContext)
  if (viewedAccount() !== null && scope?.endsWith(':read') !== true) return false
  return session !== null && permits(session.scopes, scope)
}

/** Returns the session of the page. Throws if nobody is signed in. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('nobody is signed in')
  return session
}

/** Returns true if lists cover all accounts as far as the service can: an administrator views none. */
export function useAllAccounts(): boolean {
  return useSession().scopes.includes('admin') && viewedAccount() === null
}
