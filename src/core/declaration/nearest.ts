/** The candidate that a misspelt name was most likely meant to be, or null if none is close. */
export function nearest(name: string, candidates: Iterable<string>): string | null {
  let best: string | null = null
  // A third of the letters wrong is another word.
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1
  for (const candidate of candidates) {
    // Each letter too many or too few is a difference: most candidates need no closer look.
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  return best
}

/** Returns the question that follows a message on an unknown name; empty if no candidate is close. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const meant = nearest(name, candidates)
  return meant === null ? '' : ` Did you mean ${meant}?`
}

/** Counts the insertions, deletions, replacements and swaps of neighbours between two texts. */
function editDistance(a: string, b: string): number {
  let beforeLast: readonly number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1]
      const swapped = row > 1 && a[row - 2] === b[column - 1] && a[row - 1] === b[column - 2]
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  return last[b.length] ?? 0
}

/** The refusal of a name that is no field. */
export const isNoField = 'is not a field'

/** Names that get a hint per request: comparing costs more than refusing, and a body may have thousands. */
const hintsMax = 10

/** Longer names are no misspelt field. */
const nameLengthMax = 64

/** Returns the refusal of a name that is no field, with the nearest field. `faults` are those of the request so far. */
export function unknownField(name: string, fields: Iterable<string>, faults: number): string {
  const isHinted = faults < hintsMax && name.length <= nameLengthMax
  const meant = isHinted ? nearest(name, fields) : null
  return meant === null ? isNoField : `${isNoField}. Did you mean ${meant}?`
}

/** Returns a refusal whose hint is for the fields of an older version, which are called otherwise. */
export function withHintFor(
  detail: string,
  name: string,
  fields: Iterable<string>,
  faults: number,
): string {
  if (detail.startsWith(isNoField)) return unknownField(name, fields, faults)
  // A list of sort keys or fields names several: the hint is left out.
  return detail.replace(/(is not a field)\. Did you mean \S+\?$/, '$1')
}
