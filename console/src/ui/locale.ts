/** Used if the browser names no language that its own `Intl` accepts. */
const usualLocale = 'en-US'

/** Returns the first valid language tag: `en-US@posix` of some systems is none. */
export function validLocale(tags: readonly string[]): string {
  const isValid = (tag: string): boolean => {
    try {
      return Intl.getCanonicalLocales(tag).length > 0
    } catch {
      return false
    }
  }
  const whole = tags.find(isValid)
  return whole ?? tags.map((tag) => tag.split(/[@.]/)[0] ?? '').find(isValid) ?? usualLocale
}

/**
 * Replaces an invalid language of the browser. The components and the chart take it from there when they
 * are loaded, so this comes before them.
 */
export function repairLocale(): void {
  const locale = validLocale([navigator.language])
  if (locale === navigator.language) return
  Object.defineProperty(navigator, 'language', { value: locale, configurable: true })
  Object.defineProperty(navigator, 'languages', { value: [locale], configurable: true })
}

repairLocale()
