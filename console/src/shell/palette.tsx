import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { Dialog } from 'react-aria-components'
import { useCollections } from '../api/queries.ts'
import { useSession } from '../api/use-session.ts'
import { viewedAccount } from '../api/viewed-account.ts'
import { collectionNoun } from '../collections/nouns.ts'
import { Overlay } from '../ui/overlay.tsx'
import { Suggest, type Suggestion } from '../ui/suggest.tsx'
import { applyTheme } from '../ui/theme.ts'
import { actionsFor, searchOf } from './actions.ts'
import { isIdentifier, useInstances, type FoundInstance } from './find-instances.ts'
import { sectionsFor } from './sections.ts'
import { useSignOut } from './use-sign-out.ts'

/** Goes anywhere and acts by keyboard: screens, instances by identifier, actions, the theme. */
export function Palette({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  return (
    <Overlay className="dialog palette" isOpen={isOpen} onClose={onClose}>
      <Dialog aria-label="Command palette">
        <PaletteInput onClose={onClose} />
      </Dialog>
    </Overlay>
  )
}

/** A suggestion with what it does. */
interface Command extends Suggestion {
  readonly run: () => unknown
}

function PaletteInput({ onClose }: { onClose: () => void }): ReactNode {
  const [text, setText] = useState('')
  const wanted = text.trim()
  const matching = matchingCommands(wanted, [...useScreens(), ...useActions(), ...useSettings()])
  const commands = [...matching, ...useInstanceCommands(wanted)]
  return (
    <Suggest
      label="Command palette"
      placeholder="Go to a screen, act, or paste an identifier…"
      icon="search"
      text={text}
      alwaysOpen
      suggestions={commands}
      onText={setText}
      onChoose={(id) => {
        onClose()
        commands.find((one) => one.id === id)?.run()
      }}
    />
  )
}

function matchingCommands(wanted: string, commands: readonly Command[]): readonly Command[] {
  const words = wanted.toLowerCase()
  return commands.filter(({ id, label }) => `${label} ${id}`.toLowerCase().includes(words))
}

/** Goes to an address below the console, and moves the focus there. */
function useGo(): (address: string, search?: Readonly<Record<string, string>>) => Promise<void> {
  const navigate = useNavigate()
  return async (address, search = {}) => {
    await navigate({ to: `/${address}`, search })
    setTimeout(focusScreen, settledMs)
  }
}

/** The closed palette returns the focus to where it was, in the next frame. */
const settledMs = 50

/** Without it the next key would act on the screen before. A screen or dialog can focus an input itself. */
function focusScreen(): void {
  const main = document.getElementById('main')
  const hasFocus = main?.contains(document.activeElement) === true
  if (!hasFocus && document.querySelector('.drawer') === null) main?.focus()
}

function useScreens(): readonly Command[] {
  const go = useGo()
  const { scopes } = useSession()
  return sectionsFor(useCollections(), scopes).flatMap(({ title, destinations }) =>
    destinations.map(({ address, title: label, icon }) => ({
      id: address,
      label,
      hint: title,
      icon,
      run: () => go(address),
    })),
  )
}

function useActions(): readonly Command[] {
  const go = useGo()
  const { scopes } = useSession()
  const collections = useCollections()
  // Another account is only read.
  if (viewedAccount() !== null) return []
  return actionsFor(collections, scopes).map((action) => ({
    id: `act:${action.title}`,
    label: action.title,
    icon: action.icon,
    run: () => go(action.address, searchOf(action)),
  }))
}

/**
 * The first suggestion is there before the service has answered and stays the same one afterwards, so that
 * Enter works right after an identifier is pasted.
 */
function useInstanceCommands(text: string): readonly Command[] {
  const go = useGo()
  const { found, find } = useInstances(text)
  if (text === '') return []
  const search = (): Promise<void> => go('messages', { search: text })
  const labelOf = ({ collection }: FoundInstance): string =>
    `Open ${collectionNoun(collection, 1)} ${text}`
  const [first, ...others] = found
  const lookUp: Command = {
    id: `open:${text}`,
    label: first === undefined ? `Look for “${text}”` : labelOf(first),
    icon: 'arrow',
    run: () => find().then(([one]) => (one === undefined ? search() : go(one.address))),
  }
  return [
    ...(isIdentifier(text) ? [lookUp] : []),
    ...others.map((one): Command => ({
      id: one.address,
      label: labelOf(one),
      icon: 'arrow',
      run: () => go(one.address),
    })),
    { id: 'search:', label: `Search messages for “${text}”`, icon: 'search', run: search },
  ]
}

function useSettings(): readonly Command[] {
  const signOut = useSignOut()
  return [
    { id: 'theme:dark', label: 'Use dark colours', icon: 'theme', run: () => applyTheme('dark') },
    {
      id: 'theme:light',
      label: 'Use light colours',
      icon: 'theme',
      run: () => applyTheme('light'),
    },
    {
      id: 'theme:system',
      label: 'Use the colours of the system',
      icon: 'theme',
      run: () => applyTheme('system'),
    },
    { id: 'sign-out', label: 'Sign out', icon: 'exit', run: signOut },
  ]
}
