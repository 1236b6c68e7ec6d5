import type { AccountId } from '../../core/account.ts'
import { limitReached } from '../../core/declaration/account-limits.ts'

/** The event streams that are open, by account. */
export interface OpenStreams {
  /** Counts a stream; returns how to end the count. Throws `limit-reached`. */
  open(account: AccountId, maximum: number): () => void
}

/** Counts the event streams of one node. */
export function openStreams(): OpenStreams {
  const counts = new Map<AccountId, number>()
  return {
    open: (account, maximum) => {
      const count = counts.get(account) ?? 0
      if (count >= maximum) throw limitReached('eventStreams', maximum)
      counts.set(account, count + 1)
      let isOpen = true
      return () => {
        if (!isOpen) return
        isOpen = false
        const left = (counts.get(account) ?? 1) - 1
        if (left === 0) counts.delete(account)
        else counts.set(account, left)
      }
    },
  }
}
