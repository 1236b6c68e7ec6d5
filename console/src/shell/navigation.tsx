import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCollections } from '../api/queries.ts'
import { useSession } from '../api/use-session.ts'
import { Button } from '../ui/button.tsx'
import { shortId } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'
import { applyTheme, nextTheme, useTheme } from '../ui/theme.ts'
import { searchKeys } from './search-keys.ts'
import { sectionsFor } from './sections.ts'
import { useSignOut } from './use-sign-out.ts'

/** The navigation: where one can go, and in which account one acts. */
export function Navigation({ onSearch }: { onSearch: () => void }): ReactNode {
  const { scopes } = useSession()
  const sections = sectionsFor(useCollections(), scopes)
  return (
    <aside className="navigation" aria-label="Navigation">
      <div className="brand">
        <img src="/console/icon.svg" alt="" width={22} height={22} />
        <strong>Nuncio</strong>
      </div>
      <button type="button" className="search-button" onClick={onSearch}>
        <Icon name="search" size={14} /> Search <kbd>{searchKeys(navigator.userAgent)}</kbd>
      </button>
      <nav aria-label="Screens">
        {sections.map(({ title, destinations }) => (
          <section key={title} aria-label={title}>
            {title === 'Now' ? null : <h2>{title}</h2>}
            <ul>
              {destinations.map(({ title, address, icon }) => (
                <li key={address}>
                  <Link
                    to={`/${address}`}
                    activeOptions={{ includeSearch: false, exact: address === '' }}
                    className="destination"
                  >
                    <Icon name={icon} />
                    {title}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <Person />
    </aside>
  )
}

const themeNames = { system: 'system', light: 'light', dark: 'dark' } as const

/** Who is signed in, and the colours. */
function Person(): ReactNode {
  const session = useSession()
  const theme = useTheme()
  const leave = useSignOut()
  return (
    <div className="person">
      <div className="grow">
        <div className="account" title={session.account}>
          {session.account === '' ? 'All accounts' : session.account}
        </div>
        <div className="muted small">
          {session.scopes.includes('admin') ? 'Administrator' : 'Account'}
          {session.key === null ? '' : ` · ${shortId(session.key)}`}
          {session.person === null ? '' : ` · ${session.person}`}
        </div>
      </div>
      <Button small look="plain" icon="theme" iconOnly onPress={() => applyTheme(nextTheme(theme))}>
        {`Colours: ${themeNames[theme]}`}
      </Button>
      <Button small look="plain" icon="exit" iconOnly onPress={() => void leave()}>
        Sign out
      </Button>
    </div>
  )
}
