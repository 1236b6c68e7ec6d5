import type { CarrierRoute } from '../../collections/carriers.ts'

/** A carrier as the choice of a route sees it. */
export interface Candidate {
  readonly id: string
  readonly routes: readonly CarrierRoute[]
  /** Whether it has its turn: one that was down for too long has lost it. */
  readonly hasTurn: boolean
}

/**
 * Decides by which carrier a recipient is reached: of those that have their turn the longest prefix
 * that matches, of these the lowest priority, of these one drawn by weight. Where none has its turn
 * the message waits for the first choice; null where no route matches. `fraction` is from 0 up to 1.
 */
export function chooseRoute(
  recipient: string,
  candidates: readonly Candidate[],
  fraction: number,
): string | null {
  const matching = candidates.flatMap((candidate) => {
    const route = longestMatch(recipient, candidate.routes)
    return route === null ? [] : [{ ...candidate, route }]
  })
  if (matching.length < 2) return matching[0]?.id ?? null
  const up = matching.filter(({ hasTurn }) => hasTurn)
  const open = up.length > 0 ? up : matching
  const longest = Math.max(...open.map(({ route }) => route.prefix.length))
  const byPrefix = open.filter(({ route }) => route.prefix.length === longest)
  const first = Math.min(...byPrefix.map(({ route }) => route.priority))
  const best = byPrefix.filter(({ route }) => route.priority === first)

  let left = fraction * best.reduce((sum, { route }) => sum + route.weight, 0)
  for (const { id, route } of best) {
    left -= route.weight
    if (left < 0) return id
  }
  return best.at(-1)?.id ?? null
}

/** Tells whether a recipient is served by one of these routes. */
export function longestMatch(
  recipient: string,
  routes: readonly CarrierRoute[],
): CarrierRoute | null {
  let found: CarrierRoute | null = null
  for (const route of routes) {
    if (!recipient.startsWith(route.prefix)) continue
    if (found === null || route.prefix.length > found.prefix.length) found = route
  }
  return found
}
