import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { Dialog } from 'react-aria-components'
import { useCollections } from '../api/queries.ts'
import { useSession } from '../api/use-session.ts'
import { collectionNoun } from '../collections/nouns.ts'
import { Overlay } from '../ui/overlay.tsx'
import { Suggest, type Suggestion } from '../ui/suggest.tsx'
import { applyTheme } from '../ui/theme.ts'
import { isIdentifier, useInstances, type FoundInstance } from './find-instances.ts'
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
  const { found, find } = useInstances(text.trim())
  const choose = (id: string): void => {
    onClose()
    if (id.startsWith('theme:')) return applyTheme(id === 'theme:dark' ? 'dark' : 'light')
    if (id.startsWith(lookUp)) {
      const given = id.slice(lookUp.length)
      const search = (): Promise<void> => navigate({ to: '/messages', search: { search: given } })
      void find().then(([first]) =>
        first === undefined ? search() : navigate({ to: `/${first.address}` }),
      )
      return
    }
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
      suggestions={[
        ...screens,
        ...instancesFor(text.trim(), found),
        ...commandsFor(wanted, text.trim()),
      ]}
      onText={setText}
      onChoose={choose}
    />
  )
}

/** Begins the suggestion that looks for an instance. */
const lookUp = 'open:'

/**
 * The first suggestion is there before the service has answered and stays the same one afterwards, so that
 * Enter works right after an identifier is pasted.
 */
function instancesFor(text: string, found: readonly FoundInstance[]): readonly Suggestion[] {
  if (!isIdentifier(text)) return []
  const labelOf = ({ collection }: FoundInstance): string =>
    `Open ${collectionNoun(collection, 1)} ${text}`
  const [first, ...others] = found
  return [
    {
      id: `${lookUp}${text}`,
      label: first === undefined ? `Look for “${text}”` : labelOf(first),
      icon: 'arrow',
    },
    ...others.map((one): Suggestion => ({ id: one.address, label: labelOf(one), icon: 'arrow' })),
  ]
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
