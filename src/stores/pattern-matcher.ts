/**
 * Compiles a pattern in which `*` matches any characters, and everything else itself. Each literal is
 * taken at its first occurrence, so a match never goes back: its time is linear in the text.
 */
export function patternMatcher(pattern: string): (text: string) => boolean {
  const [first = '', ...others] = pattern.split('*')
  const last = others.pop()
  if (last === undefined) return (text) => text === pattern
  const literals = others.filter((literal) => literal !== '')

  return (text) => {
    if (!text.startsWith(first)) return false
    let end = first.length
    for (const literal of literals) {
      const found = text.indexOf(literal, end)
      if (found === -1) return false
      end = found + literal.length
    }
    return text.length - last.length >= end && text.endsWith(last)
  }
}
