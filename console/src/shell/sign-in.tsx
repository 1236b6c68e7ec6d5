import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { findProvider, signIn, SignInRefused, type Session } from '../api/session.ts'
import { refusalIn } from '../api/sign-in-refusal.ts'
import { Button } from '../ui/button.tsx'
import { FaultNotice } from '../ui/notice.tsx'

/** Exchanges a key or a one-time code for a session. */
export function SignIn({ onSignedIn }: { onSignedIn: (session: Session) => void }): ReactNode {
  const [given, setGiven] = useState('')
  const { fault, isBusy, submit } = useSignIn(onSignedIn)
  return (
    <main className="sign-in">
      <form
        className="panel panel-body stack"
        onSubmit={(event) => {
          event.preventDefault()
          void submit(given)
        }}
      >
        <div className="brand">
          <img src="/console/icon.svg" alt="" width={26} height={26} />
          <h1>Sign in to Nuncio</h1>
        </div>
        {fault === null ? null : (
          <FaultNotice title="Not signed in" detail={fault.message} requestId={fault.requestId} />
        )}
        <SecretField value={given} onChange={setGiven} />
        <Button type="submit" look="primary" isDisabled={isBusy || given.trim() === ''}>
          Sign in
        </Button>
        <ProviderLink />
      </form>
    </main>
  )
}

/** Leads to the provider of the company, if the service knows one. */
function ProviderLink(): ReactNode {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    const ended = new AbortController()
    void findProvider(ended.signal)
      .then(setAddress)
      .catch(() => null)
    return () => ended.abort()
  }, [])
  return address === null ? null : (
    <a href={address} className="button">
      Sign in with your company account
    </a>
  )
}

interface SecretProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

function SecretField({ value, onChange }: SecretProps): ReactNode {
  return (
    <div className="field">
      <label htmlFor="secret">API key or one-time code</label>
      <input
        id="secret"
        className="input mono"
        type="password"
        autoComplete="current-password"
        required
        autoFocus
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <p className="hint">
        The first start of the service printed an administrator’s key, <code>nuncio_…</code>. On a
        terminal, each <code>npm start</code> also prints a one-time code.
      </p>
    </div>
  )
}

interface SigningIn {
  readonly fault: SignInRefused | null
  readonly isBusy: boolean
  readonly submit: (secret: string) => Promise<void>
}

/** Signs in, at first with the one-time code of the address if it has one. */
function useSignIn(onSignedIn: (session: Session) => void): SigningIn {
  const [fault, setFault] = useState<SignInRefused | null>(() => refusalIn(location.hash))
  const [isBusy, setBusy] = useState(false)
  const submit = async (secret: string): Promise<void> => {
    setBusy(true)
    setFault(null)
    try {
      onSignedIn(await signIn(secret.trim()))
    } catch (error) {
      setFault(error instanceof SignInRefused ? error : new SignInRefused({ detail: unreachable }))
      setBusy(false)
    }
  }
  const first = useEffectEvent(submit)
  useEffect(() => {
    const code = takeCode()
    if (code !== null) void first(code)
  }, [])
  return { fault, isBusy, submit }
}

const unreachable = 'The service did not respond. Check that it runs, then retry.'

/** Takes the one-time code, or a refusal that is shown, out of the address, so that no history keeps it. */
function takeCode(): string | null {
  const parameters = new URLSearchParams(location.hash.slice(1))
  const code = parameters.get('code')
  if (code !== null || parameters.has('refused'))
    history.replaceState(null, '', location.pathname + location.search)
  return code
}
