import type { KeyboardEvent, ReactNode } from 'react'

/** Returns the name of the keys that submit a form from within a text, as the keyboard has them. */
export function submitKeys(userAgent: string): string {
  return /Mac|iPhone|iPad/.test(userAgent) ? '⌘ Enter' : 'Ctrl Enter'
}

/** Submits the form at Ctrl and Enter, or Command and Enter, unless its button is disabled. */
export function submitByKeys(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  const button = event.currentTarget.querySelector<HTMLButtonElement>('button[type=submit]')
  if (button !== null && !button.disabled) event.currentTarget.requestSubmit(button)
}

/** Names the keys next to the button that they press. */
export function SubmitKeys(): ReactNode {
  return (
    <span className="muted small submit-keys">
      or <kbd>{submitKeys(navigator.userAgent)}</kbd>
    </span>
  )
}
