import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { isSignedOut } from './api/problem.ts'
import { findSession, forgetSession, storedSession, watchSession } from './api/session.ts'
import { refusalIn } from './api/sign-in-refusal.ts'
import { SessionContext } from './api/use-session.ts'
import { router } from './routes.tsx'
import { SignIn } from './shell/sign-in.tsx'
import { Toasts } from './ui/toast.tsx'

/** The console: who is signed in, the data, the addresses. */
export function App(): ReactNode {
  const [session, setSession] = useState(() =>
    refusalIn(location.hash) === null ? storedSession() : null,
  )
  const [isSearching, setSearching] = useState(session === null && wasSignedInElsewhere())
  const [queries] = useState(() =>
    makeQueries(() => {
      forgetSession()
      setSession(null)
    }),
  )
  useEffect(() => watchSession(() => setSession(storedSession())), [])
  useEffect(() => {
    if (!isSearching) return
    void findSession()
      .catch(() => null)
      .then((found) => {
        forgetReturn()
        setSession(found)
        setSearching(false)
      })
  }, [isSearching])
  const end = (): void => {
    queries.clear()
    setSession(null)
  }
  if (isSearching) return null
  return (
    <QueryClientProvider client={queries}>
      <SessionContext value={session}>
        {session === null ? (
          <SignIn onSignedIn={setSession} />
        ) : (
          <RouterProvider router={router} context={{ endSession: end, queries }} />
        )}
      </SessionContext>
      <Toasts />
    </QueryClientProvider>
  )
}

/** An identity provider leads back to this address: only then a cookie can exist that is not known here. */
function wasSignedInElsewhere(): boolean {
  return location.hash === '#signed-in'
}

/** Another visit of the address must not look for a session again. */
function forgetReturn(): void {
  history.replaceState(null, '', location.pathname + location.search)
}

/** The cache of what the service said. A 401 ends the session wherever it appears. */
function makeQueries(onSignedOut: () => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (isSignedOut(error)) onSignedOut()
      },
    }),
    // The client repeats what can be repeated.
    defaultOptions: { queries: { retry: false, refetchOnWindowFocus: true, staleTime: 2000 } },
  })
}
