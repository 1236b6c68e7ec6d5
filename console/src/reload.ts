/** Remembers that the page was reloaded for a missing part, so that it happens once. */
const storageKey = 'nuncio.reloaded'

/** The time in which a reload that did not help fails again. */
const settledMs = 10_000

/** After an upgrade, parts of the former console are gone: loads the page again, once. */
export function reloadOnceOnMissingPart(): void {
  addEventListener('vite:preloadError', (event) => {
    if (sessionStorage.getItem(storageKey) !== null) return
    event.preventDefault()
    sessionStorage.setItem(storageKey, 'yes')
    location.reload()
  })
  // A console that runs is complete: the next upgrade may reload it again.
  setTimeout(() => sessionStorage.removeItem(storageKey), settledMs)
}
