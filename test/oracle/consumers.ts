import type { AccountId } from '../../src/core/account.ts'
import type {
  Consumer,
  ConsumerHold,
  Consumers,
  LeasedConsumer,
} from '../../src/core/ports/consumers.ts'
import { compareText } from './compare.ts'
import { placeOf, positionOf } from './notification-log.ts'
import { type ConsumerRow, count, type Draft, keyOf } from './state.ts'

/** The webhooks' places in the log. */
export function memoryConsumers(draft: Draft): Consumers {
  const put = (row: ConsumerRow): void => {
    draft.change('consumers').set(keyOf(row.account, row.webhookId), row)
  }
  const held = (owner: string): readonly ConsumerRow[] =>
    [...draft.see('consumers').values()].filter((row) => row.owner === owner)

  return {
    put: async (account, webhookId, progress) => {
      const known = draft.see('consumers').get(keyOf(account, webhookId))
      const place = known?.place ?? draft.see('heads').get(account) ?? 0
      put({ account, webhookId, place, progress, fence: known?.fence ?? 0, ...nobody })
    },
    hold: async (wish) => {
      const { owner, now, until, owners, limit } = wish
      const rows = held(owner).filter(({ heldUntil }) => heldUntil > now)
      for (const row of rows) put({ ...row, heldUntil: until })
      const share = Math.ceil(draft.see('consumers').size / owners)
      const room = Math.max(Math.min(share - rows.length, limit), 0)
      return { leased: lease(draft, wish, room), held: rows.length, share }
    },
    release: async (leased) => {
      if (typeof leased !== 'string') return giveBack(draft, leased)
      for (const row of held(leased)) put({ ...row, ...nobody })
    },
    advance: async (consumer, { added = [], removed = [] } = {}) => {
      const { account, webhookId, position, progress, fencingToken: fence } = consumer
      const row = draft.see('consumers').get(keyOf(account, webhookId))
      if (row === undefined || row.owner === null || row.fence !== fence) return false
      put({ ...row, place: placeOf(position), progress })
      const dead = draft.change('setAside')
      for (const each of added) {
        dead.set(keyOf(account, webhookId, each.position), { account, webhookId, at: each.at })
      }
      for (const each of removed) dead.delete(keyOf(account, webhookId, each))
      return true
    },
  }
}

function lease(
  draft: Draft,
  { owner, now, until }: ConsumerHold,
  limit: number,
): readonly LeasedConsumer[] {
  const free = [...draft.see('consumers').values()]
    .filter((row) => row.owner === null || row.heldUntil <= now)
    .toSorted((a, b) => compareText(a.account, b.account) || compareText(a.webhookId, b.webhookId))
    .slice(0, limit)
  if (free.length === 0) return []
  const fence = count(draft, 'fence')
  for (const row of free) {
    const key = keyOf(row.account, row.webhookId)
    draft.change('consumers').set(key, { ...row, owner, fence, heldUntil: until })
  }
  return free.map((row) => Object.assign(consumerOf(row), { fencingToken: fence }))
}

function giveBack(draft: Draft, consumers: readonly LeasedConsumer[]): void {
  for (const { account, webhookId, fencingToken: fence } of consumers) {
    const key = keyOf(account, webhookId)
    const row = draft.see('consumers').get(key)
    if (row?.fence === fence) draft.change('consumers').set(key, { ...row, ...nobody })
  }
}

const nobody = { owner: null, heldUntil: 0 } as const

/** A consumer as it is kept, without who holds it. */
export function consumerOf({ account, webhookId, place, progress }: ConsumerRow): Consumer {
  return { account, webhookId, position: positionOf(place), progress }
}

/** Removes a webhook with its dead letters. */
export function removeConsumer(draft: Draft, account: AccountId, webhookId: string): void {
  draft.change('consumers').delete(keyOf(account, webhookId))
  for (const [key, row] of draft.see('setAside')) {
    const isOf = row.account === account && row.webhookId === webhookId
    if (isOf) draft.change('setAside').delete(key)
  }
}
