/** A request for a share. */
export interface ShareRequest {
  readonly key: string
  readonly weight: number
  /** The largest useful share. */
  readonly max: number
}

/** Weighted shares of scarce capacity over time. No weight starves. */
export interface FairShares {
  /** Allots `slots`; requesters that have had least for their weight come first. */
  allot(wanting: readonly ShareRequest[], slots: number): ReadonlyMap<string, number>
  /** Records the number of slots that a requester used. */
  charge(wanting: Pick<ShareRequest, 'key' | 'weight'>, count: number): void
}

/**
 * Creates shares by virtual time: what a requester takes advances its clock by the count divided by
 * its weight, and the clock that is furthest back comes next. A requester that was absent saves
 * nothing up.
 */
export function fairShares(): FairShares {
  const clocks = new Map<string, number>()
  let present = 0

  return {
    allot(wanting, slots) {
      const known = new Set(wanting.map(({ key }) => key))
      for (const key of clocks.keys()) if (!known.has(key)) clocks.delete(key)
      if (clocks.size > 0) present = Math.max(present, Math.min(...clocks.values()))
      for (const { key } of wanting) clocks.set(key, clocks.get(key) ?? present)
      return shareOut(wanting, clocks, slots)
    },
    charge({ key, weight }, count) {
      clocks.set(key, (clocks.get(key) ?? present) + count / weight)
    },
  }
}

function shareOut(
  wanting: readonly ShareRequest[],
  clocks: ReadonlyMap<string, number>,
  slots: number,
): ReadonlyMap<string, number> {
  const [only] = wanting
  if (wanting.length === 1 && only !== undefined) {
    return new Map([[only.key, Math.max(0, Math.min(only.max, slots))]])
  }
  const rows = wanting.map((each) => ({ ...each, clock: clocks.get(each.key) ?? 0, given: 0 }))
  for (let slot = 0; slot < slots; slot += 1) {
    const open = rows.filter(({ given, max }) => given < max)
    const [first] = open
    if (first === undefined) break
    const next = open.reduce((least, row) => (row.clock < least.clock ? row : least), first)
    next.given += 1
    next.clock += 1 / next.weight
  }
  return new Map(rows.map(({ key, given }) => [key, given]))
}
