/** Enough for credits, which are counted in millionths. */
const numbers = new Intl.NumberFormat(undefined, { maximumFractionDigits: 6 })
// The nouns of the console are English, whatever the user's locale.
const plurals = new Intl.PluralRules('en')

/** Writes a number in the user's locale. */
export function numberText(value: number): string {
  return numbers.format(value)
}

/** Writes a number with its noun: `1 credit`, `1,204 credits`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${numberText(count)} ${plurals.select(count) === 'one' ? one : many}`
}

const tenths = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })

/** Returns a span of time in the largest fitting unit: `1.4 s`. */
export function durationText(ms: number): string {
  if (ms === 0) return '0 s'
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${tenths.format(ms / 1000)} s`
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`
  if (ms < 86_400_000) return `${tenths.format(ms / 3_600_000)} h`
  return `${tenths.format(ms / 86_400_000)} d`
}
