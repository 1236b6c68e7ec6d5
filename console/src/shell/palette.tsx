import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { Dialog } from 'react-aria-components'
import { useCollections } from '../api/queries.ts'
import { useSession } from '../api/use-session.ts'
import { Overlay } from '../ui/overlay.tsx'
import { Suggest, type Suggestion } from '../ui/suggest.tsx'
import { applyTheme } from '../ui/theme.ts'
import { sectionsFor } from './sections.ts'

/** Goes anywhere and acts by keyboard: screens, instances by identifier, the theme. */
export function Palette({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  return (
    <Overlay className="dialog palette" isOpen={isOpen} onClose={onClose}>
      <Dialog aria-label="Command palette">
        <PaletteInput onClose={onClose} />
      </Dialog>
    </Overlay>
  )
}

function PaletteInput({ onClose }: { onClose: () => void }): ReactNode {
  const [text, setText] = useState('')
  const navigate = useNavigate()
  const collections = useCollections()
  const { scopes } = useSession()
  const sections = sectionsFor(collections, scopes)
  const wanted = text.trim().toLowerCase()
  const screens: readonly Suggestion[] = sections.flatMap(({ title, destinations }) =>
    destinations
      .filter((one) => `${one.title} ${one.address}`.toLowerCase().includes(wanted))
      .map((one) => ({ id: one.address, label: one.title, hint: title, icon: one.icon })),
  )
  const choose = (id: string): void => {
    onClose()
    if (id.startsWith('theme:')) return applyTheme(id === 'theme:dark' ? 'dark' : 'light')
    if (id.startsWith('search:')) {
      void navigate({ to: '/messages', search: { search: text.trim() } })
      return
    }
    void navigate({ to: `/${id}` })
  }
  return (
    <Suggest
      label="Command palette"
      placeholder="Go to a screen, or paste an identifier…"
      icon="search"
      text={text}
      alwaysOpen
      suggestions={[...instanceFor(text.trim()), ...screens, ...commandsFor(wanted, text.trim())]}
      onText={setText}
      onChoose={choose}
    />
  )
}

/** The nouns of identifiers whose collection is not their plural. */
const collectionsByNoun: Readonly<Record<string, string>> = {
  optout: 'optOuts',
  maintenance: 'maintenanceWindows',
  auditEvent: 'auditEvents',
  credit: 'credits',
}

/** An identifier names its collection: `webhook_01h…`. */
function instanceFor(text: string): readonly Suggestion[] {
  const noun = /^([a-zA-Z]+)_[0-9a-z]{26}$/.exec(text)?.[1]
  if (noun === undefined) return []
  const collection = collectionsByNoun[noun] ?? `${noun}s`
  return [{ id: `${collection}/${text}`, label: `Open ${noun} ${text}`, icon: 'arrow' }]
}

function commandsFor(wanted: string, text: string): readonly Suggestion[] {
  const themes: readonly Suggestion[] = [
    { id: 'theme:dark', label: 'Use dark colours', icon: 'theme' },
    { id: 'theme:light', label: 'Use light colours', icon: 'theme' },
  ]
  const search: readonly Suggestion[] =
    text === '' ? [] : [{ id: 'search:', label: `Search messages for “${text}”`, icon: 'search' }]
  return [...search, ...themes.filter(({ label }) => label.toLowerCase().includes(wanted))]
}
