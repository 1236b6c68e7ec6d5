import type * as re2js from 're2js'

/** Finds a pattern in a text: the first group, or the whole match if there is none; null without one. */
export type FindPattern = (text: string) => string | null

/** Compiles a pattern in the syntax of RE2, which matches in linear time. Throws if it is malformed. */
export function compileFinder(source: string): FindPattern {
  const { RE2JS } = library()
  const compiled = RE2JS.compile(source)
  return (text) => {
    const matcher = compiled.matcher(text)
    if (!matcher.find()) return null
    return matcher.group(matcher.groupCount() > 0 ? 1 : 0) ?? null
  }
}

/** Returns why a pattern is malformed, as "must …"; null if it is well-formed. */
export function patternFault(source: string): string | null {
  try {
    compileFinder(source)
    return null
  } catch {
    return 'must be a regular expression of RE2'
  }
}

const finders = new Map<string, FindPattern>()

/** The most patterns that stay compiled. */
const findersMax = 200

/** Finds a pattern and remembers it compiled. */
export function findPattern(source: string, text: string): string | null {
  const known = finders.get(source)
  const finder = known ?? compileFinder(source)
  if (known === undefined) {
    if (finders.size >= findersMax) finders.clear()
    finders.set(source, finder)
  }
  return finder(text)
}

/** Loads the library on demand: it takes 7 MB. */
function library(): typeof re2js {
  return process.getBuiltinModule('node:module').createRequire(import.meta.url)('re2js')
}
