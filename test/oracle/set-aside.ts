import type { AccountId } from '../../src/core/account.ts'
import type { Consumers } from '../../src/core/ports/consumers.ts'
import { type Draft, keyOf } from './state.ts'

/** What was set aside for webhooks. */
export function memorySetAside(draft: Draft): Pick<Consumers, 'changeDeadLetters'> {
  return {
    changeDeadLetters: async (account, webhookId, { added = [], removed = [] }) => {
      const rows = draft.change('setAside')
      for (const { position, at } of added) {
        rows.set(keyOf(account, webhookId, position), { account, webhookId, at })
      }
      for (const position of removed) rows.delete(keyOf(account, webhookId, position))
    },
  }
}

/** Forgets all that was set aside for a webhook. */
export function forgetAll(draft: Draft, account: AccountId, webhookId: string): void {
  for (const [key, row] of draft.see('setAside')) {
    const isOf = row.account === account && row.webhookId === webhookId
    if (isOf) draft.change('setAside').delete(key)
  }
}
