import { Outlet, useLocation } from '@tanstack/react-router'
import { Suspense, useEffect, useState, type ReactNode } from 'react'
import { viewedAccount, viewText } from '../api/viewed-account.ts'
import { Button } from '../ui/button.tsx'
import { Navigation } from './navigation.tsx'
import { Palette } from './palette.tsx'
import { ScreenSkeleton } from './screen-states.tsx'

/** What surrounds every screen: navigation, account, command palette. */
export function Shell(): ReactNode {
  const [isNavigationOpen, setNavigationOpen] = useState(false)
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const { pathname } = useLocation()
  useEffect(() => setNavigationOpen(false), [pathname])
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setPaletteOpen((open) => !open)
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  return (
    <Suspense fallback={<ScreenSkeleton />}>
      <div className={isNavigationOpen ? 'shell navigation-open' : 'shell'}>
        <a className="skip" href="#main">
          Skip to content
        </a>
        <header className="top-bar">
          <Button
            look="plain"
            icon={isNavigationOpen ? 'close' : 'menu'}
            iconOnly
            aria-expanded={isNavigationOpen}
            onPress={() => setNavigationOpen(!isNavigationOpen)}
          >
            Navigation
          </Button>
          <strong>Nuncio</strong>
          <Button look="plain" icon="search" iconOnly onPress={() => setPaletteOpen(true)}>
            Search
          </Button>
        </header>
        <Navigation onSearch={() => setPaletteOpen(true)} />
        <main id="main" tabIndex={-1}>
          <ViewNotice />
          <Suspense fallback={<ScreenSkeleton />}>
            <Outlet />
          </Suspense>
        </main>
        <Palette isOpen={isPaletteOpen} onClose={() => setPaletteOpen(false)} />
      </div>
    </Suspense>
  )
}

/** Says whose data is shown if it is not the own account's. */
function ViewNotice(): ReactNode {
  const account = viewedAccount()
  if (account === null) return null
  return (
    <div className="notice view-notice" role="status">
      <p className="grow">{viewText(account)}</p>
      <a href={`/console/accounts/${encodeURIComponent(account)}`}>Leave the account</a>
    </div>
  )
}
