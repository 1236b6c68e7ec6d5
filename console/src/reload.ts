/** Remembers that the page was reloaded for a missing part, so that it happens once. */
const storageKey = 'nuncio.reloaded'

/** After an upgrade, parts of the former console are gone: loads the page again, once. */
export function reloadOnceOnMissingPart(): void {
  addEventListener('vite:preloadError', (event) => {
    if (sessionStorage.getItem(storageKey) !== null) return
    event.preventDefault()
    sessionStorage.setItem(storageKey, 'yes')
    location.reload()
  })
}
