import { useSyncExternalStore } from 'react'

/** The colours of the page: those of the system, or a choice. */
export type Theme = 'system' | 'light' | 'dark'

const storageKey = 'nuncio.theme'
const listeners = new Set<() => void>()

/** Returns the chosen theme, whatever part of the page chooses it. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, storedTheme)
}

/** Applies a theme, and remembers it. */
export function applyTheme(theme: Theme = storedTheme()): void {
  localStorage.setItem(storageKey, theme)
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  for (const listener of listeners) listener()
}

/** Returns the theme that follows another in the menu. */
export function nextTheme(theme: Theme): Theme {
  return ({ system: 'light', light: 'dark', dark: 'system' } as const)[theme]
}

function storedTheme(): Theme {
  const stored = localStorage.getItem(storageKey)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
