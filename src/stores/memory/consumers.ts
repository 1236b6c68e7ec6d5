import type { Consumer, Consumers } from '../../core/consumers.ts'
import { compareText } from './compare.ts'
import { placeOf, positionOf } from './notification-log.ts'
import { forgetAll, memorySetAside } from './set-aside.ts'
import { type ConsumerRow, count, type Draft, keyOf } from './state.ts'

/** The webhooks' places in the log. */
export function memoryConsumers(draft: Draft): Consumers {
  const put = (row: ConsumerRow): void => {
    draft.change('consumers').set(keyOf(row.account, row.webhookId), row)
  }
  const held = (owner: string): readonly ConsumerRow[] =>
    [...draft.see('consumers').values()].filter((row) => row.owner === owner)

  return {
    add: async (account, webhookId, progress) => {
      const place = draft.see('counters').get('log') ?? 0
      const fence = draft.see('consumers').get(keyOf(account, webhookId))?.fence ?? 0
      put({ account, webhookId, place, progress, fence, ...nobody })
    },
    find: async (account, webhookId) => {
      const row = draft.see('consumers').get(keyOf(account, webhookId))
      return row === undefined ? null : consumerOf(row)
    },
    remove: async (account, webhookId) => {
      draft.change('consumers').delete(keyOf(account, webhookId))
      forgetAll(draft, account, webhookId)
    },
    lease: async (owner, now, until, limit) => {
      const rows = [...draft.see('consumers').values()].toSorted(inOrder)
      const free = rows.filter((row) => row.owner === null || row.heldUntil <= now).slice(0, limit)
      if (free.length === 0) return []
      const fence = count(draft, 'fence')
      for (const row of free) put({ ...row, owner, fence, heldUntil: until })
      return free.map((row) => Object.assign(consumerOf(row), { fence }))
    },
    renew: async (owner, now, until) => {
      const rows = held(owner).filter(({ heldUntil }) => heldUntil > now)
      for (const row of rows) put({ ...row, heldUntil: until })
      return rows.length
    },
    release: async (owner) => {
      for (const row of held(owner)) put({ ...row, ...nobody })
    },
    advance: async ({ account, webhookId, position, progress, fence }) => {
      const row = draft.see('consumers').get(keyOf(account, webhookId))
      if (row === undefined || row.owner === null || row.fence !== fence) return false
      put({ ...row, place: placeOf(position), progress })
      return true
    },
    reset: async (account, webhookId, progress) => {
      const row = draft.see('consumers').get(keyOf(account, webhookId))
      if (row !== undefined) put({ ...row, ...nobody, progress })
    },
    ...memorySetAside(draft),
  }
}

function inOrder(a: ConsumerRow, b: ConsumerRow): number {
  return compareText(a.account, b.account) || compareText(a.webhookId, b.webhookId)
}

const nobody = { owner: null, heldUntil: 0 } as const

/** A consumer as it is kept, without who holds it. */
export function consumerOf({ account, webhookId, place, progress }: ConsumerRow): Consumer {
  return { account, webhookId, position: positionOf(place), progress }
}
