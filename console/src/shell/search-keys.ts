/** Returns the keys that open the search, as the keyboard of a browser's machine names them. */
export function searchKeys(userAgent: string): string {
  return /Mac|iPhone|iPad/.test(userAgent) ? '⌘K' : 'Ctrl K'
}
