/**
 * Whether a text matches a pattern in which `*` stands for any characters, and everything else for
 * itself. Each literal is taken where it first occurs, so the time grows with the text alone.
 */
export function matchesPattern(text: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('*')
  const last = others.pop()
  if (last === undefined) return text === pattern
  if (!text.startsWith(first)) return false

  let place = first.length
  for (const literal of others) {
    const found = text.indexOf(literal, place)
    if (found === -1) return false
    place = found + literal.length
  }
  return text.length - last.length >= place && text.endsWith(last)
}
