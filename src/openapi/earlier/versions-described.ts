import type { Version } from '../../core/declaration/version.ts'
import { beforeChange } from './before-change.ts'
import type { DescribedApi } from './described.ts'

/**
 * Describes each version by reverting the changes of all later ones from the newest. The versions
 * are in order, the oldest first.
 */
export function versionsDescribed(
  newest: DescribedApi,
  declared: readonly Version[],
): ReadonlyMap<string, DescribedApi> {
  const result = new Map<string, DescribedApi>()
  let described = newest
  for (const version of declared.toReversed()) {
    const { name, deprecatedAt, sunsetAt } = version
    const successor = declared.at(-1)?.name ?? name
    const ending = deprecatedAt === undefined ? null : { deprecatedAt, sunsetAt, successor }
    result.set(name, {
      ...described,
      options: { ...described.options, version: name, ending },
    })
    described = version.changes.toReversed().reduce(beforeChange, described)
  }
  return result
}
