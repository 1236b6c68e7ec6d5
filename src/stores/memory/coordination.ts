import type { Buckets } from '../../core/buckets.ts'
import type { NamedLeases } from '../../core/leases.ts'
import type { Nodes } from '../../core/nodes.ts'
import { compareText } from './compare.ts'
import type { Draft } from './state.ts'

/** Which nodes there are. */
export function memoryNodes(draft: Draft): Nodes {
  return {
    beat: async (node, now, until) => {
      const rows = draft.change('nodes')
      rows.set(node.id, { node, heldUntil: until })
      for (const [id, { heldUntil }] of rows) if (heldUntil <= now) rows.delete(id)
      return [...rows.values()].map((row) => row.node).toSorted((a, b) => compareText(a.id, b.id))
    },
    leave: async (id) => void draft.change('nodes').delete(id),
  }
}

/** Leases by name. */
export function memoryLeases(draft: Draft): NamedLeases {
  return {
    take: async (names, owner, now, until) => {
      const rows = draft.change('leases')
      return names.toSorted(compareText).flatMap((name) => {
        const row = rows.get(name)
        if (row !== undefined && row.owner !== owner && row.heldUntil > now) return []
        const fence = (row?.fence ?? 0) + (row?.owner === owner ? 0 : 1)
        rows.set(name, { owner, fence, heldUntil: until })
        return [{ name, fence }]
      })
    },
    release: async (names, owner) => {
      const rows = draft.change('leases')
      for (const name of names) {
        const row = rows.get(name)
        if (row?.owner === owner) rows.set(name, { ...row, owner: '', heldUntil: 0 })
      }
    },
  }
}

/** Rates that are shared. */
export function memoryBuckets(draft: Draft): Buckets {
  return {
    level: async (name) => draft.see('buckets').get(name) ?? null,
    put: async (name, level) => void draft.change('buckets').set(name, level),
  }
}
