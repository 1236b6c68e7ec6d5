import type { NamedLeases } from '../../src/core/ports/leases.ts'
import { compareText } from './compare.ts'
import type { Draft } from './state.ts'

/** What nodes share. */
export function memoryLeases(draft: Draft): NamedLeases {
  return {
    take: async (names, owner, now, until, value = '') => {
      const rows = draft.change('leases')
      return names.toSorted(compareText).filter((name) => {
        const row = rows.get(name)
        if (row !== undefined && row.owner !== owner && row.until > now) return false
        rows.set(name, { name, owner, until, value })
        return true
      })
    },
    release: async (names, owner, endedAt = Infinity) => {
      const rows = draft.change('leases')
      return names.toSorted(compareText).filter((name) => {
        const row = rows.get(name)
        return row?.owner === owner && row.until <= endedAt && rows.delete(name)
      })
    },
    list: async (prefix, now) => {
      const leases = [...draft.see('leases').values()]
        .filter(({ name }) => name.startsWith(prefix))
        .toSorted((a, b) => compareText(a.name, b.name))
      return { now, leases }
    },
    read: async (name) => draft.see('leases').get(name)?.value ?? null,
  }
}
