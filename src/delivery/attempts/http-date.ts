import type { Instant } from '../../core/ports/clock.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const month = `(?<month>${months.join('|')})`
const time = '(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)'

/** The three forms that a recipient must accept: IMF-fixdate, and the obsolete ones of RFC 850 and asctime. */
const forms = [
  `^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\\d\\d) ${month} (?<year>\\d{4}) ${time} GMT$`,
  `^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\\d\\d)-${month}-(?<year>\\d\\d) ${time} GMT$`,
  `^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${month} (?<day>[ \\d]\\d) ${time} (?<year>\\d{4})$`,
].map((form) => new RegExp(form))

/** Reads an HTTP-date (RFC 9110 section 5.6.7). Null for anything else, a day that does not exist included. */
export function parseHttpDate(text: string, now: Instant): Instant | null {
  const parts = forms.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined)
  if (parts === undefined) return null

  const { year = '', month: name = '', day, hour, minute, second } = parts
  const fullYear = year.length === 2 ? nearYear(Number(year), now) : Number(year)
  const read = [fullYear, months.indexOf(name), Number(day), Number(hour), Number(minute)] as const
  const instant = Date.UTC(...read, Number(second))

  // Date rolls over: it reads 30 February as 1 March, and 25:00 as 1:00.
  const date = new Date(instant)
  const same = date.getUTCDate() === Number(day) && date.getUTCHours() === Number(hour)
  return same && Number(minute) < 60 && Number(second) <= 60 ? instant : null
}

/** A year of two digits is the last with these digits that is at most 50 years ahead. */
function nearYear(digits: number, now: Instant): number {
  const latest = new Date(now).getUTCFullYear() + 50
  return latest - ((((latest - digits) % 100) + 100) % 100)
}
