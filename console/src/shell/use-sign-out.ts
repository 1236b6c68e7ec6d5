import { useRouteContext } from '@tanstack/react-router'
import { signOut } from '../api/session.ts'
import { useSession } from '../api/use-session.ts'

/** Returns what ends the session, in the service and on the page. */
export function useSignOut(): () => Promise<void> {
  const session = useSession()
  const { endSession } = useRouteContext({ from: '__root__' })
  return async () => {
    await signOut(session).catch(() => null)
    endSession()
  }
}
