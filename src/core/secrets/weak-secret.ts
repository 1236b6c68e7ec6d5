/** Characters that a secret of a callback has at least. */
const lengthMin = 8

/** Different characters or octets below which a secret can be guessed, whatever its length. */
const distinctMin = 4

/** Returns the rule that a secret which others present breaks; null if it is hard enough to guess. */
export function weaknessOf(secret: string): string | null {
  if (secret.length < lengthMin) return `must have at least ${lengthMin} characters`
  return isMonotonous(secret) ? `must have at least ${distinctMin} different characters` : null
}

/** Returns true if a secret hardly has different characters, or octets. */
export function isMonotonous(secret: Iterable<string | number>): boolean {
  return new Set(secret).size < distinctMin
}
