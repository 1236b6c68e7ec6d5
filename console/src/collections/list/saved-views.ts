import { useMemo, useSyncExternalStore } from 'react'

/** A named state of a list. */
export interface View {
  readonly title: string
  /** The parameters of its address: `?status.type=FAILED`; empty for the whole list. */
  readonly query: string
}

/** Views by the path of their list. They stay in this browser; their addresses can be sent to anyone. */
type Stored = Readonly<Record<string, readonly View[]>>

const storageKey = 'nuncio.views'
const listeners = new Set<() => void>()

/** Returns the views that were saved for the list at a path. */
export function useSavedViews(path: string): readonly View[] {
  const text = useSyncExternalStore(subscribe, snapshot)
  return useMemo(() => read(text)[path] ?? [], [text, path])
}

/** Saves a view. One of the same title is replaced. */
export function saveView(path: string, view: View): void {
  write(path, (views) => [...views.filter(({ title }) => title !== view.title), view])
}

/** Removes a saved view. */
export function removeView(path: string, view: View): void {
  write(path, (views) => views.filter(({ title }) => title !== view.title))
}

function write(path: string, change: (views: readonly View[]) => readonly View[]): void {
  const stored = read(snapshot())
  localStorage.setItem(
    storageKey,
    JSON.stringify({ ...stored, [path]: change(stored[path] ?? []) }),
  )
  for (const listener of listeners) listener()
}

function snapshot(): string {
  return localStorage.getItem(storageKey) ?? '{}'
}

function read(text: string): Stored {
  return JSON.parse(text)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  globalThis.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    globalThis.removeEventListener('storage', listener)
  }
}
