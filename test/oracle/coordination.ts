import type { NamedLeases, Buckets } from '../../src/core/ports/leases.ts'
import type { Nodes } from '../../src/core/ports/nodes.ts'
import { addSubmission, type Effects } from '../../src/stores/commit.ts'
import { compareText } from './compare.ts'
import type { Draft } from './state.ts'
import { freeClaims } from './submissions.ts'

/** Which nodes there are. */
export function memoryNodes(draft: Draft, effects: Effects): Nodes {
  return {
    time: async (now) => now,
    beat: async (node, now, until) => {
      const rows = draft.change('nodes')
      rows.set(node.id, { node, heldUntil: until })
      const live = [...rows.values()].filter(({ heldUntil }) => heldUntil > now)
      return live.map((row) => row.node).toSorted((a, b) => compareText(a.id, b.id))
    },
    expired: async (now, forget = false) => {
      const nodes = [...draft.see('nodes')]
      const gone = nodes.filter(([, { heldUntil }]) => heldUntil <= now).map(([id]) => id)
      for (const id of forget ? gone : []) draft.change('nodes').delete(id)
      return gone
    },
    freeClaims: async (id, now) => {
      if (freeClaims(draft, id, now)) addSubmission(effects, now)
    },
    leave: async (id) => {
      draft.change('nodes').delete(id)
    },
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
